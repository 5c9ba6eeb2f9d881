//! Which fields of a test case are there, and filled.

use super::{Field, TestCase};

impl TestCase {
    pub(super) fn blankness(&self, field: Field) -> Blankness {
        match field {
            Field::Input => text(self.input.as_deref()),
            Field::ActualOutput => text(self.actual_output.as_deref()),
            Field::ExpectedOutput => text(self.expected_output.as_deref()),
            Field::Name => text(self.name.as_deref()),
            Field::Comments => text(self.comments.as_deref()),
            Field::AlternativeOutputs => texts(self.alternative_outputs.as_deref()),
            Field::Context => texts(self.context.as_deref()),
            Field::Tags => texts(self.tags.as_deref()),
            Field::RetrievalContext => list(self.retrieval_context.as_deref(), |passage| {
                is_blank(&passage.text)
            }),
            Field::ToolsCalled => list(self.tools_called.as_deref(), |_| false),
            Field::ExpectedTools => list(self.expected_tools.as_deref(), |_| false),
            Field::Metadata => present(self.metadata.as_ref()),
            Field::Trace => present(self.trace.as_ref()),
            Field::Usage => present(self.usage.as_ref()),
        }
    }
}

pub(super) enum Blankness {
    Absent,
    Blank,
    Filled,
}

fn text(value: Option<&str>) -> Blankness {
    match value {
        None => Blankness::Absent,
        Some(value) if is_blank(value) => Blankness::Blank,
        Some(_) => Blankness::Filled,
    }
}

fn texts(value: Option<&[String]>) -> Blankness {
    list(value, |item| is_blank(item))
}

fn list<T>(value: Option<&[T]>, blank: impl Fn(&T) -> bool) -> Blankness {
    match value {
        None => Blankness::Absent,
        // `all` holds for the empty list too.
        Some(items) if items.iter().all(blank) => Blankness::Blank,
        Some(_) => Blankness::Filled,
    }
}

fn present<T>(value: Option<&T>) -> Blankness {
    match value {
        None => Blankness::Absent,
        Some(_) => Blankness::Filled,
    }
}

fn is_blank(value: &str) -> bool {
    value.trim().is_empty()
}
