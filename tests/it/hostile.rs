//! Run files, projects and pipes that somebody made to do harm.

use std::process::Stdio;

use crate::guests;
use crate::place::{Place, code, expect, stderr, stdout};

/// A run of three cases in the project's folder, with a lock.
fn project() -> Place {
    let place = Place::new();
    guests::file(place.folder(), "graded");
    place.write(
        "data.jsonl",
        &[
            r#"{"actual_output": "aaaaaaaaaa", "input": "one"}"#,
            r#"{"actual_output": "aaaaaaaaaaaaaaaaaaaa", "input": "two"}"#,
            r#"{"actual_output": "x", "input": "three"}"#,
        ],
    );
    std::fs::write(
        place.path("weighbridge.toml"),
        "[data]\npath = 'data.jsonl'\n[[metric]]\nplugin = './graded.wasm'\nthreshold = 0.1\n",
    )
    .expect("the folder takes files");
    expect(&place.weigh(&["lock"]), 0);
    expect(&place.weigh(&["run", "-o", "run.jsonl"]), 3);
    place
}

const RESUME: [&str; 5] = ["run", "--quiet", "-o", "edited.jsonl", "--resume"];

/// Edits that leave JSON behind which contradicts itself.
const NONSENSE: [(&str, &str, &str); 8] = [
    ("\"score\":0.1,", "\"score\":7.0,", "outside its scale"),
    (
        "\"success\":true,\"score\"",
        "\"success\":false,\"score\"",
        "by the header's policy",
    ),
    (
        "\"caseDigest\":\"sha256:",
        "\"caseDigest\":\"sha256:0",
        "case digest",
    ),
    (
        "\"actualOutput\":\"aaaaaaaaaa\"}",
        "\"actualOutput\":\"b\"}",
        "case digest",
    ),
    ("\"error\":null", "\"error\":\"boom\"", "an error"),
    (
        "\"errorKind\":\"metric\"",
        "\"errorKind\":\"input\"",
        "error kind",
    ),
    ("\"row\":2,", "\"row\":5,", "row 5 follows row 1"),
    ("\"config\":{}", "\"config\":{\"a\":1}", "its parts make"),
];

#[test]
fn nothing_is_made_of_a_run_file_that_contradicts_itself() {
    let place = project();
    for (from, to, words) in NONSENSE {
        place.edit("run.jsonl", "edited.jsonl", |text| {
            // Without its closing record, so that there is something to do.
            let end = text.rfind("{\"record\":\"closing\"").expect("it is whole");
            assert!(text[..end].contains(from), "{from}");
            text[..end].replacen(from, to, 1)
        });
        for arguments in [
            &[
                "rejudge",
                "edited.jsonl",
                "--strict",
                "guest",
                "-o",
                "x.jsonl",
            ][..],
            &["compare", "run.jsonl", "edited.jsonl"],
            &RESUME,
        ] {
            let before = place.text("edited.jsonl");
            let output = place.weigh(arguments);
            expect(&output, 2);
            let said = stderr(&output);
            assert!(
                said.contains("`edited.jsonl` is damaged in line "),
                "{said}"
            );
            assert!(said.contains(words), "{from}: {said}");
            assert_eq!(place.text("edited.jsonl"), before);
            assert!(!place.path("x.jsonl").exists());
        }
        let output = place.weigh(&["verify", "edited.jsonl"]);
        assert!(
            matches!(code(&output), 1 | 2 | 5),
            "{}{}",
            stdout(&output),
            stderr(&output)
        );
    }
}

#[test]
fn a_result_of_another_row_is_not_gone_on_from() {
    let place = project();
    place.edit("run.jsonl", "edited.jsonl", |text| {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let second = lines[1].replacen("\"row\":1,\"line\":1", "\"row\":2,\"line\":2", 1);
        format!("{}{}{second}", lines[0], lines[1])
    });
    let before = place.text("edited.jsonl");
    let output = place.weigh(&RESUME);
    expect(&output, 2);
    let said = stderr(&output);
    assert!(
        said.contains("measured another test case than row 2"),
        "{said}"
    );
    assert_eq!(place.text("edited.jsonl"), before);
    let said = expect(&place.weigh(&["verify", "edited.jsonl"]), 1);
    assert!(said.contains("isn't that of the data set"), "{said}");
}

#[test]
fn verify_finds_what_is_not_in_the_data_set() {
    let place = project();
    for (words, edit) in [
        (
            "stands in line 2 of the data set",
            ("\"row\":2,\"line\":2", "\"row\":2,\"line\":9"),
        ),
        (
            "the run ends after row 2",
            ("\"limit\":null", "\"limit\":2"),
        ),
        (
            "its test case is missing",
            (
                "\"case\":{\"input\":\"one\",\"actualOutput\":\"aaaaaaaaaa\"}",
                "\"case\":null",
            ),
        ),
        ("it has a test case", ("\"cases\":true", "\"cases\":false")),
        (
            "its summary can't be read",
            ("\"summary\":{\"cases\"", "\"summary\":{\"kases\""),
        ),
        (
            "its summary can't be read",
            ("\"noVerdict\":0", "\"noVerdict\":0,\"x\":1e999"),
        ),
        (
            "describes itself otherwise",
            ("\"summary\":\"behaves?\"", "\"summary\":\"behaves!\""),
        ),
        (
            "describes itself otherwise",
            ("\"mayBeBlank\":true", "\"mayBeBlank\":false"),
        ),
        (
            "`score` is -0.0 in the run file, and 0.0",
            ("\"score\":0.0,", "\"score\":-0.0,"),
        ),
    ] {
        // One more row, whose score is 0.
        place.edit("data.jsonl", "zero.jsonl", |text| {
            format!("{text}\n{{\"actual_output\": \"\"}}")
        });
        expect(
            &place.weigh(&["run", "zero.jsonl", "-q", "-o", "zero.run", "--overwrite"]),
            3,
        );
        place.edit("zero.run", "edited.jsonl", |text| {
            text.replacen(edit.0, edit.1, 1)
        });
        let output = place.weigh(&["verify", "edited.jsonl"]);
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains(words), "{edit:?}: {said}");
        assert!(matches!(code(&output), 1 | 5), "{said}");
    }
    // An invented result.
    place.edit("run.jsonl", "edited.jsonl", |text| {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let more = lines[2].replacen("\"row\":2,\"line\":2", "\"row\":4,\"line\":4", 1);
        format!("{}{more}", lines[..4].concat())
    });
    let said = expect(&place.weigh(&["verify", "edited.jsonl"]), 1);
    assert!(said.contains("the data set has no such row"), "{said}");
}

#[test]
fn a_forged_record_is_measured_and_not_reused() {
    let place = project();
    for (from, to) in [
        ("\"version\":\"sha256:", "\"version\":\"sha256:9"),
        ("\"error\":null", "\"error\":\"boom\""),
        (
            "higher-is-better\",\"breakdown\"",
            "lower-is-better\",\"breakdown\"",
        ),
    ] {
        place.edit("run.jsonl", "edited.jsonl", |text| {
            let (header, results) = text.split_once('\n').expect("lines");
            format!("{header}\n{}", results.replacen(from, to, 1))
        });
        let reuse = [
            "run",
            "-o",
            "new.jsonl",
            "--overwrite",
            "--reuse",
            "edited.jsonl",
        ];
        let said = expect(&place.weigh(&reuse), 3);
        assert!(
            said.contains("measurements taken over: 1"),
            "{from}: {said}"
        );
        expect(&place.weigh(&["verify", "new.jsonl"]), 0);
    }
}

#[test]
fn no_input_is_written_over() {
    let place = project();
    place.write("config.json", &["{}"]);
    let config = [
        "--metric",
        "./graded.wasm",
        "--config",
        "@config.json",
        "--score-only",
    ];
    for (file, further) in [
        ("weighbridge.toml", &[][..]),
        ("weighbridge.lock", &["--locked"]),
        ("config.json", &config),
        ("graded.wasm", &[]),
        ("data.jsonl", &[]),
    ] {
        let before = std::fs::read(place.path(file)).expect("it is there");
        for how in ["--overwrite", "--resume"] {
            let output = place.weigh(&[&["run", "-o", file, how][..], further].concat());
            expect(&output, 2);
            let said = stderr(&output);
            assert!(
                said.contains(&format!("run file `{file}` is an input")),
                "{said}"
            );
        }
        assert_eq!(
            std::fs::read(place.path(file)).expect("it is there"),
            before
        );
    }
}

#[test]
fn messages_do_not_command_the_terminal() {
    let place = project();
    place.edit("run.jsonl", "edited.jsonl", |text| {
        text.replacen(
            "\"record\":\"result\"",
            "\"record\":\"\\u001b[2J\\u202e\"",
            1,
        )
    });
    place.edit("weighbridge.lock", "weighbridge.lock", |text| {
        text.replace("name = \"guest\"", "name = \"\\u001b[31m\"")
    });
    std::fs::write(place.path("hostile.toml"), "\"\\u001b[31mk\" = 1").expect("a file");
    for arguments in [
        &["verify", "edited.jsonl"][..],
        &["verify", "no\u{1b}[31mfile"],
        &["lock", "--check"],
        &["run", "--project", "hostile.toml"],
    ] {
        let output = place.weigh(arguments);
        let said = stderr(&output);
        assert!(said.contains("\\u{1b}"), "{said}");
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
    }
}

#[test]
fn names_from_a_run_file_do_not_command_the_terminal() {
    let place = project();
    place.edit("run.jsonl", "edited.jsonl", |text| {
        text.replace("\"name\":\"guest\"", "\"name\":\"\\u001b[31m\"")
    });
    let strict = ["--strict", "\u{1b}[31m", "-o", "new.jsonl"];
    for arguments in [
        &[&["rejudge", "edited.jsonl"][..], &strict[..]].concat()[..],
        &["verify", "edited.jsonl"],
        &["compare", "edited.jsonl", "edited.jsonl"],
    ] {
        let output = place.weigh(arguments);
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains("\\u{1b}"), "{arguments:?}: {said}");
        assert!(!said.contains('\u{1b}'), "{arguments:?}: {said:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_or_closed_standard_output_is_no_panic() {
    let place = project();
    let full = || {
        Stdio::from(
            std::fs::File::options()
                .write(true)
                .open("/dev/full")
                .expect("Linux"),
        )
    };
    let compare = ["compare", "run.jsonl", "run.jsonl"];
    for arguments in [
        &["schema"][..],
        &["verify", "run.jsonl"],
        &compare,
        &["lock"],
        &["inspect", "exact-json"],
    ] {
        let mut command = place.command(arguments);
        let output = command
            .stdout(full())
            .stderr(Stdio::piped())
            .output()
            .expect("it starts");
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(
            stderr(&output).contains("standard output can't be written"),
            "{arguments:?}"
        );

        let mut command = place.command(arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        assert_eq!(
            child.wait().expect("it ends").code(),
            Some(0),
            "{arguments:?}"
        );
    }
    // A run keeps its own exit code, since its file is whole.
    let mut command = place.command(&["run", "-o", "full.jsonl"]);
    let output = command
        .stdout(full())
        .stderr(Stdio::piped())
        .output()
        .expect("it starts");
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("standard output can't be written"));
    expect(&place.weigh(&["verify", "full.jsonl"]), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_and_devices_are_not_waited_for() {
    let place = project();
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("pipe.wasm"))
        .status()
        .expect("there is a `mkfifo`");
    assert!(made.success());
    std::fs::create_dir(place.path("kept")).expect("a folder");
    std::fs::rename(place.path("pipe.wasm"), place.path("kept/pipe.wasm")).expect("it moves");
    std::fs::rename(place.path("graded.wasm"), place.path("kept/v1.wasm")).expect("it moves");
    expect(
        &place.weigh(&["verify", "run.jsonl", "--plugins", "kept"]),
        0,
    );
    std::fs::rename(place.path("kept/v1.wasm"), place.path("graded.wasm")).expect("it moves");
    for (arguments, words) in [
        (&["run", "-o", "kept/pipe.wasm"][..], "exists"),
        (&["run", "-o", "kept/pipe.wasm", "--overwrite"], "is a pipe"),
        (
            &["run", "-o", "kept/pipe.wasm", "--resume"],
            "no regular file",
        ),
        (
            &["run", "-o", "new.jsonl", "--reuse", "kept/pipe.wasm"],
            "no regular file",
        ),
        (
            &["run", "-o", "new.jsonl", "--reuse", "/dev/zero"],
            "no regular file",
        ),
    ] {
        let output = place.weigh(arguments);
        expect(&output, 2);
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn a_run_that_still_goes_on_is_not_judged_or_reused() {
    let place = project();
    let file = std::fs::File::open(place.path("run.jsonl")).expect("it is there");
    file.lock().expect("it can be locked");
    for arguments in [
        &["rejudge", "run.jsonl", "--strict", "guest", "-o", "x.jsonl"][..],
        &["run", "-o", "x.jsonl", "--reuse", "run.jsonl"],
    ] {
        let output = place.weigh(arguments);
        expect(&output, 2);
        let said = stderr(&output);
        assert!(said.contains("being written by another process"), "{said}");
        assert!(!place.path("x.jsonl").exists());
    }
}
