//! The project file and the lock.

use serde_json::Value;
use weighbridge::config::{Project, schema};

use crate::guests;
use crate::place::{Place, expect, stderr};

const PROJECT: &str = r#"
score-only = false
jobs = 2

[data]
path = "data.csv"
format = "csv"
delimiter = ";"
limit = 2
max-row-bytes = "1MiB"

[data.map]
actual_output = "reply"

[[metric]]
plugin = "./graded.wasm"
name = "length"
threshold = 0.03

[[metric]]
plugin = "exact-json"
config = { field = "city" }

[limits]
fuel = 1_000_000
memory = "1MiB"
timeout = 5
output = 4096

[output]
path = "run.jsonl"
cases = false
overwrite = true
"#;

fn place(project: &str) -> Place {
    let place = Place::new();
    guests::file(place.folder(), "graded");
    place.write("data.csv", &["reply;other", "aaaa;1", "aa;2", "a;3"]);
    std::fs::write(place.path("weighbridge.toml"), project).expect("the folder takes files");
    place
}

#[test]
fn a_run_without_arguments_uses_the_project_file() {
    let place = place(PROJECT);
    let output = place.weigh(&["run"]);
    expect(&output, 1);
    assert!(stderr(&output).contains("project: weighbridge.toml"));
    let records = place.records("run.jsonl");
    let header = &records[0];
    assert_eq!(header["dataSet"]["path"], "data.csv");
    assert_eq!(header["dataSet"]["delimiter"], ";");
    assert_eq!(header["dataSet"]["limit"], 2);
    assert_eq!(header["dataSet"]["maxRowBytes"], 1 << 20);
    assert_eq!(header["dataSet"]["mapping"]["actual_output"], "reply");
    assert_eq!(header["metrics"][0]["name"], "length");
    assert_eq!(header["metrics"][0]["policy"]["threshold"], 0.03);
    assert_eq!(header["metrics"][1]["config"]["field"], "city");
    assert_eq!(header["limits"]["fuel"], 1_000_000);
    assert_eq!(header["limits"]["memoryBytes"], 1 << 20);
    assert_eq!(header["limits"]["timeoutSeconds"], 5.0);
    assert_eq!(header["limits"]["outputBytes"], 4096);
    assert_eq!(header["limits"]["tables"], 32, "the rest has its defaults");
    assert_eq!(header["cases"], false);
    assert_eq!(header["jobs"], 2);
    assert_eq!(records[1]["case"], Value::Null);
    assert_eq!(records.len(), 4, "header, two rows, closing");
    // The run file is replaced, as the project says.
    expect(&place.weigh(&["run", "--quiet"]), 1);
}

#[test]
fn paths_are_relative_to_the_project_file() {
    let place = place(PROJECT);
    std::fs::create_dir(place.path("elsewhere")).expect("a folder");
    let output = place
        .command(&["run", "--project", "../weighbridge.toml"])
        .current_dir(place.path("elsewhere"))
        .output()
        .expect("the binary starts");
    expect(&output, 1);
    let header = &place.records("run.jsonl")[0];
    assert_eq!(header["dataSet"]["path"], "../data.csv");
    assert_eq!(header["metrics"][0]["source"], ".././graded.wasm");
}

#[test]
fn the_command_line_outranks_the_project_file() {
    let place = place(PROJECT);
    place.write("other.jsonl", &[r#"{"actual_output": "aaaaa"}"#]);
    let header = |arguments: &[&str], code: i32| {
        let mut all = vec!["run"];
        all.extend(arguments);
        expect(&place.weigh(&all), code);
        place.records("run.jsonl").remove(0)
    };
    let found = header(&["--max-fuel", "2000000", "--limit", "1", "--jobs", "1"], 0);
    assert_eq!(found["limits"]["fuel"], 2_000_000);
    assert_eq!(found["limits"]["memoryBytes"], 1 << 20);
    assert_eq!(found["dataSet"]["limit"], 1);
    assert_eq!(found["dataSet"]["delimiter"], ";");
    assert_eq!(found["jobs"], 1);
    // Other data: nothing of `[data]` holds for it.
    let found = header(&["other.jsonl"], 0);
    assert_eq!(found["dataSet"]["format"], "jsonl");
    assert_eq!(found["dataSet"]["limit"], Value::Null);
    assert_eq!(found["dataSet"]["mapping"], serde_json::json!({}));
    assert_eq!(found["metrics"][0]["name"], "length");
    // Other metrics: none of the project's is used.
    let found = header(&["--metric", "./graded.wasm", "--threshold", "0"], 0);
    assert_eq!(found["metrics"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["metrics"][0]["name"], "guest");
    let found = header(&["--score-only"], 0);
    assert_eq!(found["metrics"][0]["policy"]["threshold"], Value::Null);
    // Both: the project file isn't even read.
    std::fs::write(place.path("weighbridge.toml"), "broken").expect("the folder takes files");
    let both = [
        "other.jsonl",
        "--metric",
        "./graded.wasm",
        "--score-only",
        "-o",
        "run.jsonl",
    ];
    let found = header(&[&both[..], &["--overwrite"]].concat(), 0);
    assert_eq!(found["limits"]["fuel"], 10_000_000_000_u64);
    let output = place.weigh(&["run", "other.jsonl", "--no-project"]);
    expect(&output, 2);
    assert!(
        stderr(&output).contains("`[[metric]]`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_means_nothing_is_refused_with_the_nearest_right_key() {
    for (text, line, words) in [
        (
            "[dat]\npath = 'a'",
            1,
            "unknown key `dat`: did you mean `data`?",
        ),
        (
            "[data]\npath = 'a'\nformatt = 'csv'",
            3,
            "in `data`: did you mean `format`?",
        ),
        (
            "[[metric]]\nplugin = 'a'\nthreshhold = 1",
            3,
            "in `metric[0]`: did you mean `threshold`?",
        ),
        ("[limits]\n\nmax-fuel = 1", 3, "it may have `case`"),
        (
            "[output]\nfile = 'a'",
            2,
            "it may have `cases`, `overwrite`, `path`",
        ),
        ("[[metric]]\nname = 'a'", 1, "missing field `plugin`"),
        (
            "[[metric]]\nplugin = 'a'\nthreshold = 'high'",
            3,
            "`metric[0].threshold`: invalid type",
        ),
        (
            "[[metric]]\nplugin = 'a'\nthreshold = nan",
            3,
            "`metric[0].threshold` is not a finite",
        ),
        (
            "[[metric]]\nplugin = 'a'\nconfig = { at = 2026-01-01 }",
            3,
            "`metric[0].config.at` is a date",
        ),
        (
            "[[metric]]\nplugin = 'a'\nconfig = { x = [1, -inf] }",
            3,
            "`metric[0].config.x[1]` is not",
        ),
        ("[data]\npath = 'a'\nlimit = 0", 3, "`data.limit`"),
        ("[data]\npath = 'a'\nlimit = -1", 3, "`data.limit`"),
        (
            "[limits]\nmemory = true",
            2,
            "`limits.memory`: expected a number of bytes",
        ),
        ("jobs = 1\njobs = 2", 2, "duplicate key"),
        ("[data\n", 1, "unclosed"),
        ("jobs = 'two'", 1, "`jobs`: invalid type"),
    ] {
        let error = Project::parse(text, "weighbridge.toml").expect_err(text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    assert_eq!(Project::parse("", "x"), Ok(Project::default()));
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(Project::parse(&deep, "x").is_err());
}

#[test]
fn what_can_not_be_used_says_why() {
    for (text, words) in [
        ("", "nothing to measure"),
        ("[data]\npath = 'data.jsonl'", "nothing to measure with"),
        (
            "[data]\npath = 'none.csv'\n[[metric]]\nplugin = 'exact-json'\nstrict = true",
            "none.csv",
        ),
        (
            "[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = 'exact-json'",
            "`--score-only`",
        ),
        (
            "[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = 'exact-jsn'\nstrict = true",
            "`exact-jsn` is not built in",
        ),
        (
            "[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = 'exact-json'\nthreshold = 7",
            "outside the scale",
        ),
        (
            "[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = 'exact-json'\njudge = 'gpt'",
            "judge `gpt`",
        ),
        (
            "[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = 'exact-json'\nstrict = true\n[[metric]]\nplugin = 'exact-json'",
            "two metrics are called `exact-json`",
        ),
        (
            "[data]\npath = 'data.jsonl'\nformat = 'xml'\n[[metric]]\nplugin = 'exact-json'\nstrict = true",
            "`data.format`",
        ),
        (
            "[data]\npath = 'data.jsonl'\nmap = { ouput = 'x' }\n[[metric]]\nplugin = 'exact-json'\nstrict = true",
            "`data.map`",
        ),
        (
            "[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = 'exact-json'\nstrict = true\n[limits]\nmemory = '9GiB'",
            "limit `memory` is 9663676416: choose one from 65536 to 4294967296 bytes",
        ),
        (
            "[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = 'exact-json'\nstrict = true\n[limits]\ntables = 0",
            "limit `tables` is 0",
        ),
        (
            "jobs = 0\n[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = 'exact-json'\nstrict = true",
            "`jobs` is out of range",
        ),
        (
            "[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = 'exact-json'\nname = ' '\nstrict = true",
            "gets a name that is blank",
        ),
        ("[limits]\nmemory = 'much'", "`limits.memory` is `much`"),
    ] {
        let place = place(text);
        place.write("data.jsonl", &[r#"{"actual_output": "aaaa"}"#]);
        let output = place.weigh(&["run", "-o", "x.jsonl"]);
        expect(&output, 2);
        assert!(
            stderr(&output).contains(words),
            "{text}: {}",
            stderr(&output)
        );
        assert!(!place.path("x.jsonl").exists());
    }
    let place = place("");
    for (arguments, words) in [
        (&["run", "--project", "none.toml"][..], "none.toml"),
        (&["run", "--project", "."], "is a directory"),
        (&["run", "--project", "latin.toml"], "is not UTF-8"),
        (&["lock", "--project", "none.toml"], "none.toml"),
        (&["lock"], "has no metrics to lock"),
        (&["run", "--threshold", "1"], "belongs to a `--metric`"),
        (
            &[
                "run",
                "data.csv",
                "--metric",
                "exact-json",
                "--strict",
                "--locked",
            ],
            "`--project`",
        ),
    ] {
        std::fs::write(place.path("latin.toml"), b"name = '\xe9'").expect("a file");
        let output = place.weigh(arguments);
        expect(&output, 2);
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn the_schema_describes_every_key() {
    let text = serde_json::to_string_pretty(&schema()).expect("it is JSON") + "\n";
    let place = Place::new();
    assert_eq!(expect(&place.weigh(&["schema"]), 0), text);
    let golden = guests::root().join("tests/fixtures/weighbridge.schema.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, &text).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&golden).expect("there is a golden file");
    assert!(
        text == expected,
        "the schema changed: run with UPDATE_GOLDEN=1 and read the difference"
    );
    check_described(&schema());
}

fn check_described(schema: &Value) {
    let Some(properties) = schema["properties"].as_object() else {
        return;
    };
    assert_eq!(schema["additionalProperties"], false);
    for (key, property) in properties {
        assert!(property["description"].is_string(), "`{key}` says nothing");
        check_described(property);
        check_described(&property["items"]);
    }
}

#[test]
fn a_lock_holds_until_something_changes() {
    let place = place(PROJECT);
    let output = place.weigh(&["run", "--locked"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("does not exist: write it with `weigh lock`"));
    let said = expect(&place.weigh(&["lock"]), 0);
    assert_eq!(said, "2 metrics locked in weighbridge.lock\n");
    let lock = place.text("weighbridge.lock");
    expect(&place.weigh(&["lock"]), 0);
    assert_eq!(place.text("weighbridge.lock"), lock, "the same bytes");
    expect(&place.weigh(&["lock", "--check"]), 0);
    expect(&place.weigh(&["run", "--locked"]), 1);
    let header = &place.records("run.jsonl")[0];
    for (part, key) in [
        ("digest", "version"),
        ("interface", "interface"),
        ("contract", "contract"),
    ] {
        let value = header["metrics"][0][key].as_str().expect("a text");
        assert!(lock.contains(&format!("{part} = \"{value}\"")), "{lock}");
    }
    std::fs::remove_file(place.path("run.jsonl")).expect("it is there");

    // One more byte in a custom section: another component.
    let old = std::fs::read(place.path("graded.wasm")).expect("it is there");
    let mut new = old.clone();
    new.extend([0, 3, 1, b'x', 7]);
    std::fs::write(place.path("graded.wasm"), &new).expect("the folder takes files");
    for arguments in [&["run", "--locked"][..], &["lock", "--check"]] {
        let output = place.weigh(arguments);
        expect(&output, 5);
        let said = stderr(&output);
        for bytes in [&old, &new] {
            assert!(
                said.contains(&weighbridge::contract::digest_bytes(bytes)),
                "{said}"
            );
        }
        assert!(said.contains("metric `length`: component is"), "{said}");
    }
    assert!(!place.path("run.jsonl").exists(), "nothing was measured");
    assert_eq!(place.text("weighbridge.lock"), lock, "nothing was written");
    std::fs::write(place.path("graded.wasm"), &old).expect("the folder takes files");

    for (from, to, words) in [
        (
            "\"city\"",
            "\"town\"",
            "configuration or environment changed",
        ),
        (
            "name = \"length\"",
            "name = \"size\"",
            "is locked and not measured",
        ),
        ("name = \"length\"", "name = \"size\"", "is not locked"),
        (
            "./graded.wasm",
            "././graded.wasm",
            "plugin is ././graded.wasm, locked is ./graded.wasm",
        ),
    ] {
        std::fs::write(place.path("weighbridge.toml"), PROJECT.replace(from, to)).expect("a file");
        let output = place.weigh(&["lock", "--check"]);
        expect(&output, 5);
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    // What isn't part of the contract isn't locked.
    let moved = PROJECT
        .replace("0.03", "0.04")
        .replace("fuel = 1_000_000", "fuel = 2_000_000");
    std::fs::write(place.path("weighbridge.toml"), moved).expect("a file");
    expect(&place.weigh(&["lock", "--check"]), 0);
}

#[test]
fn a_damaged_lock_is_refused() {
    let place = place(PROJECT);
    expect(&place.weigh(&["lock"]), 0);
    let lock = place.text("weighbridge.lock");
    for (text, words) in [
        (lock.replace("version = 1", "version = 2"), "has version 2"),
        (
            lock.replace("digest = ", "digests = "),
            "is not a lock (line 7",
        ),
        (lock.replace("version = 1\n", ""), "is not a lock"),
        (lock.replacen("contract", "kontract", 1), "is not a lock"),
        ("nonsense".to_owned(), "is not a lock (line 1"),
        (
            format!(
                "{lock}{}",
                &lock[lock.find("\n[[metric]]").expect("a metric")..]
            ),
            "metric `length` stands in it twice",
        ),
        (String::new(), "is not a lock"),
    ] {
        std::fs::write(place.path("weighbridge.lock"), &text).expect("a file");
        let output = place.weigh(&["run", "--locked"]);
        expect(&output, 2);
        let said = stderr(&output);
        assert!(
            said.contains(words) && said.contains("weighbridge.lock"),
            "{said}"
        );
    }
    std::fs::remove_file(place.path("weighbridge.lock")).expect("it is there");
    std::fs::create_dir(place.path("weighbridge.lock")).expect("a folder");
    for arguments in [&["run", "--locked"][..], &["lock"], &["lock", "--check"]] {
        let output = place.weigh(arguments);
        expect(&output, 2);
        assert!(
            stderr(&output).contains("weighbridge.lock"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn the_example_project_runs() {
    let examples = guests::root().join("examples");
    let project = examples.join("weighbridge.toml");
    let place = Place::new();
    let project = project.to_str().expect("a text");
    let run = ["run", "--project", project, "-o", "run.jsonl"];
    expect(&place.weigh(&run), 1);
    assert_eq!(place.records("run.jsonl").len(), 6);
}
