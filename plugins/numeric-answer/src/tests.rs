use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn config(json: &str) -> Config {
    weighbridge_metric::from_json(json).unwrap_or_else(|failure| panic!("{}", failure.message))
}

fn score(actual: &str, expected: &str, options: &str) -> f64 {
    compare(actual, expected, &[], config(options))
        .unwrap_or_else(|failure| panic!("{expected:?}: {}", failure.message))
        .score
}

/// What is read from `text` equals `number`, and not something else.
fn reads(text: &str, number: &str) {
    reads_with("{}", text, number);
}

fn reads_with(options: &str, text: &str, number: &str) {
    let found = final_number(text, config(options).decimal_mark);
    let written = found.map(|token| token.written().to_owned());
    assert_eq!(score(text, number, options), 1.0, "{text:?}: {written:?}");
}

fn reads_nothing(text: &str) {
    let found = final_number(text, DecimalMark::Point);
    assert_eq!(
        found.map(|token| token.written().to_owned()),
        None,
        "{text:?}"
    );
}

#[test]
fn values_are_compared_and_not_spellings() {
    for text in [
        "18.0",
        "18.",
        "+18",
        "018",
        "1.8e1",
        "180E-1",
        "36/2",
        "$18.00",
        "0.18 × 10^2",
    ] {
        reads(text, "18");
    }
    reads("-0", "0");
    reads("1e-3", "0.001");
    reads(
        "0.1000000000000000055511151231257827",
        "0.1000000000000000055511151231257827",
    );
    assert_eq!(score("0.10000000000000001", "0.1", "{}"), 0.0);
    assert_eq!(
        score("12345678901234567891", "12345678901234567890", "{}"),
        0.0
    );
    assert_eq!(score("-18", "18", "{}"), 0.0);
}

#[test]
fn thousands_may_be_set_apart() {
    for text in [
        "1,234,567",
        "1 234 567",
        "1'234'567",
        "1’234’567",
        "1_234_567",
        "1\u{a0}234\u{a0}567",
        "1\u{202f}234\u{202f}567",
        "1\u{2009}234\u{2009}567",
        "1{,}234{,}567",
        "1\\,234\\,567",
        "1,\\!234,\\!567",
    ] {
        reads(text, "1234567");
    }
    reads("12,34,567", "1234567");
    reads("2,085.50", "2085.5");
    reads("3, 500", "500");
    reads("5,12", "12");
    reads("1,2345", "2345");
    reads("2024,100", "100");
    reads("0,123", "123");
}

#[test]
fn the_comma_may_be_the_decimal_mark() {
    let comma = r#"{"decimal_mark": ","}"#;
    reads_with(comma, "Es sind 1.234,50 €.", "1234,5");
    reads_with(comma, "3,5", "7/2");
    reads_with(comma, "1 234,5", "1.234,5");
    reads_with(comma, "18.", "18");
    reads_with(comma, "1.234", "1234");
    reads("1.234", "1.234");
}

#[test]
fn a_sign_is_not_a_hyphen() {
    for text in [
        "-5",
        "\u{2212}5",
        "\u{2013}5",
        "x = -5",
        "-$5",
        "$-5",
        "\u{2212}€5.00",
        "$-5$",
        "(-5)",
        "-\\$5",
    ] {
        reads(text, "-5");
    }
    for text in [
        "10-5",
        "3–5 days",
        "$10-$5",
        "- 5 apples",
        "covid-5",
        "(2)-5",
        "10%-5",
        "--5",
    ] {
        reads(text, "5");
    }
}

#[test]
fn units_and_currencies_are_ignored() {
    for text in [
        "$18",
        "18€",
        "€ 18",
        "USD18",
        "18 USD",
        "Rs.18",
        "Rs18",
        "US$18",
        "18%",
        "18 %",
        "18km",
        "18 cm^2",
        "18 m^{-1}",
        "18 cm2",
        "18th",
        "**18**",
        "`18`",
        "$18$",
        "\\$18",
        "18 H2O",
        "18 (see v1.2.3)",
        "18, on 12/05/2024",
        "合計18個",
        "\\approx18",
        "18!",
        "18\u{200b}",
    ] {
        reads(text, "18");
    }
    reads("50%", "50");
}

#[test]
fn fractions_are_numbers() {
    for text in [
        "3/4",
        "6/8",
        "0.75",
        "\\frac{3}{4}",
        "\\dfrac{75}{100}",
        "¾",
        "3⁄4",
        "$\\frac{3}{4}$",
    ] {
        reads(text, "3/4");
    }
    for text in ["2 1/2", "2½", "2 ½", "2\\frac{1}{2}", "5/2", "2.5"] {
        reads(text, "2.5");
    }
    reads("-3/4", "-0.75");
    reads("-2 1/2", "-2.5");
    reads("1,000/4", "250");
    reads("1/3", "2/6");
    assert_eq!(score("1/3", "0.3333333333", "{}"), 0.0);
    assert_eq!(score("1/3", "2/3", "{}"), 0.0);
    reads_nothing("5/0");
    reads("60 km/2 h", "2");
    reads("1/2.5", "2.5");
    reads("5 4/3", "4/3");
}

#[test]
fn scientific_notation_is_read() {
    for text in [
        "1.5e3",
        "1.5E+3",
        "1.5 × 10^3",
        "1.5x10^3",
        "1.5*10^{3}",
        "1.5 \\times 10^{3}",
        "1.5 \\cdot 10^3",
    ] {
        reads(text, "1500");
    }
    reads("2e", "2");
    reads("2e5x", "2");
    reads("1e99999", "1");
    reads("10^{-3}", "10");
    assert_eq!(score("1e9999", "1e-9999", "{}"), 0.0);
}

#[test]
fn the_last_marker_with_a_number_decides() {
    reads("She has 16 - 3 = <<16-3=13>>13\nA: 18", "18");
    reads("x\n#### 18", "18");
    reads("x\n#### -1,234 dollars", "-1234");
    reads("#### Step 3: add 4\nIt is 18 now", "18");
    reads("#### 3. Add 4\nIt is 18 now", "18");
    reads("So \\boxed{42}, after 7 steps", "42");
    reads("\\boxed{x = 42\\text{ cm}^2} 7", "42");
    reads("\\boxed{\\frac{1}{2}} 7", "0.5");
    reads("The answer is 18. Check: 18 / 2 = 9.", "18");
    reads("The final answer is: **$18** for 2 weeks", "18");
    reads("**Answer:**\n\n**18** apples\nin 3 bags", "18");
    reads("**Final Answer**: 18 of 20", "18");
    reads("Answer: 9 * 2 = 18 dollars on 3 days", "18");
    reads("ANSWER: 18\n(page 3)", "18");
    reads("A: 5\nwait, 3 more\nA: 18 apples and 2 pears", "18");
    reads("A: 18\nAnswer: none", "18");
    reads("The answer is clear. First 2 and then 3", "3");
    reads("BA: 5 and 18", "18");
    reads("My answers: 5 and 18", "18");
    reads("A:\r\n18\r\n7", "18");
}

#[test]
fn annotations_are_passed_over() {
    reads("<<16-3=13>>13 and 5 <<5*9=45>>", "5");
    reads("6 <<1+2=3 fries", "3");
    reads_nothing("<<1+1=2>>");
}

#[test]
fn text_without_a_number_has_none() {
    for text in [
        "",
        " \n",
        "eighteen",
        "x2",
        "1.2.3",
        "12/05/2024",
        "٣",
        ".",
        "-",
        "$",
        "A:",
        "####",
        "\\boxed{",
        "5/0",
        "A: none",
    ] {
        reads_nothing(text);
    }
    let measurement = compare("no idea", "A: 18", &[], Config::default()).expect("a measured 0");
    assert_eq!(measurement.score, 0.0);
    assert_eq!(
        measurement.reason.as_deref(),
        Some("actual_output has no number; expected_output ends in `18`")
    );
    let failure =
        compare("18", "eighteen", &["18".into()], Config::default()).expect_err("no number");
    assert_eq!(
        failure.kind,
        Some(weighbridge_metric::FailureKind::UnsuitableCase)
    );
    assert_eq!(
        failure.message,
        "expected_output has no number: write the expected number there, in digits"
    );
}

#[test]
fn tolerances_are_exact_and_inclusive() {
    let near = |options, actual, expected, wanted| {
        assert_eq!(
            score(actual, expected, options),
            wanted,
            "{options} {actual} {expected}"
        );
    };
    let absolute = r#"{"absolute_tolerance": 0.01}"#;
    near(absolute, "0.31", "0.30", 1.0);
    near(absolute, "0.29", "0.30", 1.0);
    near(absolute, "0.3100000000000000000001", "0.30", 0.0);
    near(absolute, "-0.005", "0.005", 1.0);
    near(absolute, "0.34", "1/3", 1.0);
    near(absolute, "0.35", "1/3", 0.0);
    let relative = r#"{"relative_tolerance": 0.05}"#;
    near(relative, "105", "100", 1.0);
    near(relative, "-95", "-100", 1.0);
    near(relative, "95", "-100", 0.0);
    near(relative, "105.1", "100", 0.0);
    near(relative, "0.001", "0", 0.0);
    near(relative, "100", "105.3", 0.0);
    near(
        r#"{"relative_tolerance": 1e-9}"#,
        "0.3333333333",
        "1/3",
        1.0,
    );
    near(
        r#"{"relative_tolerance": 0.01, "absolute_tolerance": 5}"#,
        "104",
        "100",
        1.0,
    );
}

fn reason(actual: &str, expected: &str, alternatives: &[&str], options: &str) -> String {
    let alternatives: Vec<String> = alternatives.iter().map(|&text| text.into()).collect();
    let measurement = compare(actual, expected, &alternatives, config(options));
    measurement.expect("a score").reason.unwrap_or_default()
}

#[test]
fn the_reason_shows_both_numbers() {
    let exact = |expected, alternatives: &[&str]| reason("so 18.0", expected, alternatives, "{}");
    assert_eq!(
        exact("$18", &[]),
        "the final number `18.0` equals the expected `$18`"
    );
    assert_eq!(
        exact("A: 7", &["8"]),
        "the final number is `18.0` instead of `7`"
    );
    assert_eq!(
        exact("A: 7", &["eighteen", "18"]),
        "the final number `18.0` equals `18` of alternative 2"
    );
    assert_eq!(
        reason("18", "17", &[], r#"{"absolute_tolerance": 1}"#),
        "the final number `18` is within the tolerance of the expected `17`"
    );
    assert_eq!(
        reason(&"7".repeat(1000), "7", &[], "{}"),
        format!("the final number is `{}…` instead of `7`", "7".repeat(40))
    );
}

#[test]
fn a_wrong_option_is_refused() {
    let refused = |json: &str| {
        let config = weighbridge_metric::from_json::<Config>(json);
        config
            .err()
            .map(|failure| failure.message)
            .unwrap_or_default()
    };
    assert_eq!(
        refused(r#"{"absolute_tolerance": -1}"#),
        "configuration key `absolute_tolerance`: a tolerance of -1 is below 0: correct its value"
    );
    assert_eq!(
        refused(r#"{"decimal_mark": ";"}"#),
        "configuration key `decimal_mark`: unknown variant `;`, expected `.` or `,`: \
         correct its value"
    );
    assert!(refused(r#"{"tolerance": 1}"#).starts_with("configuration: unknown field `tolerance`"));
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    assert_eq!(schema["properties"]["decimal_mark"]["default"], ".");
}

proptest! {
    #[test]
    fn any_text_scores_zero_or_one(actual in any::<String>(), expected in any::<String>()) {
        let options = config(r#"{"absolute_tolerance": 0.5, "relative_tolerance": 0.1}"#);
        if let Ok(measurement) = compare(&actual, &expected, &[], options) {
            prop_assert!(measurement.score == 0.0 || measurement.score == 1.0);
        }
    }

    #[test]
    fn text_full_of_numbers_equals_itself(
        text in r"([0-9]{1,4}|[-,.'_ /$%^=−–½€×]|[{}]|\\frac\{|\\boxed\{|e|10\^|A: |answer is|\n|<<|>>|####){0,30}",
        comma in any::<bool>(),
    ) {
        let mark = if comma { DecimalMark::Comma } else { DecimalMark::Point };
        let options = Config { decimal_mark: mark, ..config(r#"{"relative_tolerance": 0.1}"#) };
        if let Ok(measurement) = compare(&text, &text, &[], options) {
            prop_assert_eq!(measurement.score, 1.0);
        }
    }

    #[test]
    fn distances_agree_with_integers(left in -10_000_000i64..10_000_000, right in -10_000_000i64..10_000_000) {
        let tolerance = (left - right).unsigned_abs() as f64;
        let exact = format!(r#"{{"absolute_tolerance": {tolerance}}}"#);
        let less = format!(r#"{{"absolute_tolerance": {}}}"#, tolerance - 0.5);
        prop_assert_eq!(score(&left.to_string(), &right.to_string(), &exact), 1.0);
        if left != right {
            prop_assert_eq!(score(&left.to_string(), &right.to_string(), &less), 0.0);
        }
    }
}
