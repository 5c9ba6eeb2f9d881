use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn config(json: &str) -> Config {
    weighbridge_metric::from_json(json).unwrap_or_else(|failure| panic!("{}", failure.message))
}

fn check(options: &str, actual: &str, expected: &str, score: f64) {
    let measurement = compare(actual, expected, &[], config(options));
    assert_eq!(
        measurement.score, score,
        "{options} {actual:?} {expected:?}: {:?}",
        measurement.reason
    );
}

#[test]
fn by_default_only_outer_white_space_is_ignored() {
    check("{}", "Paris", "Paris", 1.0);
    check("{}", " Paris\r\n", "\u{a0}Paris", 1.0);
    check("{}", "", "", 1.0);
    check("{}", " \n", "", 1.0);
    check("{}", "paris", "Paris", 0.0);
    check("{}", "New  York", "New York", 0.0);
    check("{}", "", "Paris", 0.0);
    check("{}", "Paris.", "Paris", 0.0);
    check("{}", "e\u{301}", "\u{e9}", 0.0);
    check("{}", "\u{200b}Paris", "Paris", 0.0);
    check(r#"{"strip": false}"#, "Paris ", "Paris", 0.0);
    check(r#"{"strip": false}"#, "Paris ", "Paris ", 1.0);
}

#[test]
fn case_folding_is_more_than_lower_case() {
    let fold = r#"{"ignore_case": true}"#;
    check(fold, "PARIS", "paris", 1.0);
    check(fold, "Straße", "STRASSE", 1.0);
    check(fold, "ΟΔΟΣ", "οδος", 1.0);
    check(fold, "ΟΔΟΣ", "οδοσ", 1.0);
    check(fold, "ﬁne", "FINE", 1.0);
    check(fold, "K\u{212a}", "kk", 1.0);
    check(fold, "ꭰ", "Ꭰ", 1.0);
    check(fold, "i\u{307}", "İ", 1.0);
    check(fold, "ı", "I", 0.0);
    check(fold, "É", "e\u{301}", 0.0);
}

#[test]
fn normal_forms_compare_what_looks_the_same() {
    let nfc = r#"{"normalisation": "nfc"}"#;
    let nfkc = r#"{"normalisation": "nfkc"}"#;
    check(nfc, "e\u{301}", "\u{e9}", 1.0);
    check(nfc, "\u{1112}\u{1161}\u{11ab}", "한", 1.0);
    check(nfc, "ﬁ", "fi", 0.0);
    check(nfkc, "ﬁ", "fi", 1.0);
    check(nfkc, "１２", "12", 1.0);
    check(nfkc, "x²", "x2", 1.0);
    check(nfkc, "a\u{a0}b", "a b", 1.0);
    let both = r#"{"normalisation": "nfc", "ignore_case": true}"#;
    check(both, "É", "e\u{301}", 1.0);
    check(both, "\u{3b0}", "\u{3ab}\u{301}", 1.0);
    let both = r#"{"normalisation": "nfkc", "ignore_case": true}"#;
    check(both, "㎒", "mhz", 1.0);
    check(both, "Ｐａｒｉｓ", "PARIS", 1.0);
}

#[test]
fn white_space_can_be_collapsed() {
    let collapse = r#"{"collapse_whitespace": true}"#;
    check(collapse, " New \t\n York ", "New York", 1.0);
    check(collapse, "New\u{a0}\u{2009}York", "New York", 1.0);
    check(collapse, "NewYork", "New York", 0.0);
    let kept = r#"{"collapse_whitespace": true, "strip": false}"#;
    check(kept, "  a", " a", 1.0);
    check(kept, " a", "a", 0.0);
}

fn reason(actual: &str, expected: &str, alternatives: &[&str], options: &str) -> String {
    let alternatives: Vec<String> = alternatives.iter().map(|&text| text.into()).collect();
    let measurement = compare(actual, expected, &alternatives, config(options));
    measurement.reason.unwrap_or_default()
}

#[test]
fn the_reason_says_which_answer_matched_or_what_differed() {
    let matched = |expected, alternatives: &[&str]| reason("b", expected, alternatives, "{}");
    assert_eq!(matched("b", &["b"]), "actual_output is the expected_output");
    assert_eq!(matched("a", &["c", " b"]), "actual_output is alternative 2");
    assert_eq!(
        matched("a", &[]),
        r#"actual_output differs: "b" instead of "a""#
    );
    assert_eq!(
        matched("a", &["c"]),
        r#"actual_output differs: "b" instead of "a", and from the alternative"#
    );
    assert_eq!(
        reason("a b", "a\tB", &["c", "d"], r#"{"ignore_case": true}"#),
        r#"actual_output differs from character 2: "a b" instead of "a\tb", and from each alternative"#
    );
    let long = "é".repeat(500);
    assert_eq!(
        reason(&format!("{long}x{long}"), &format!("{long}y"), &[], "{}"),
        format!(
            "actual_output differs from character 501: …\"{}x{}\"… instead of …\"{}y\"",
            "é".repeat(20),
            "é".repeat(39),
            "é".repeat(20)
        )
    );
}

#[test]
fn a_wrong_option_is_refused() {
    let refused = |json: &str| {
        weighbridge_metric::from_json::<Config>(json)
            .err()
            .map(|f| f.message)
    };
    assert_eq!(
        refused(r#"{"normalisation": "nfd"}"#).as_deref(),
        Some(
            "configuration key `normalisation`: unknown variant `nfd`, expected one of `none`, \
             `nfc`, `nfkc`: correct its value"
        )
    );
    assert_eq!(
        refused(r#"{"normalization": "nfc"}"#).as_deref(),
        Some(
            "configuration: unknown field `normalization`, expected one of `normalisation`, \
             `ignore_case`, `collapse_whitespace`, `strip`: remove the key or correct its name"
        )
    );
}

#[test]
fn the_schema_holds_the_defaults() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let properties = &schema["properties"];
    assert_eq!(properties["normalisation"]["default"], "none");
    assert_eq!(properties["ignore_case"]["default"], false);
    assert_eq!(properties["collapse_whitespace"]["default"], false);
    assert_eq!(properties["strip"]["default"], true);
}

fn options() -> impl Strategy<Value = Config> {
    let forms = [Normalisation::None, Normalisation::Nfc, Normalisation::Nfkc];
    (0..3usize, any::<[bool; 3]>()).prop_map(move |(form, flags)| Config {
        normalisation: forms[form],
        ignore_case: flags[0],
        collapse_whitespace: flags[1],
        strip: flags[2],
    })
}

proptest! {
    #[test]
    fn any_text_scores_zero_or_one(
        actual in any::<String>(),
        expected in any::<String>(),
        config in options(),
    ) {
        let score = compare(&actual, &expected, &[], config).score;
        prop_assert!(score == 0.0 || score == 1.0);
    }

    #[test]
    fn a_text_matches_itself(text in any::<String>(), config in options()) {
        prop_assert_eq!(compare(&text, &text, &[], config).score, 1.0);
    }

    #[test]
    fn preparing_is_idempotent(text in any::<String>(), config in options()) {
        let once = prepare(&text, config).into_owned();
        prop_assert_eq!(prepare(&once, config).into_owned(), once);
    }
}
