//! What wit-bindgen makes of `wit/`. The world is the widest one; imports
//! that a metric doesn't use are dropped when it becomes a component.

wit_bindgen::generate!({
    path: "../../wit",
    world: "judged-metric",
    pub_export_macro: true,
    default_bindings_module: "weighbridge_metric::bindings",
    additional_derives: [PartialEq],
});
