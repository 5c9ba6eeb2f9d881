//! `--resume`: a run that stopped anywhere ends as if it had not.

mod retry;

use std::process::Stdio;

use crate::guests;
use crate::place::{Place, expect, stderr, stdout, without_times};

const METRICS: [&str; 8] = [
    "--metric",
    "exact-json",
    "--threshold",
    "1",
    "--metric",
    "./graded.wasm",
    "--threshold",
    "0.2",
];

fn place(rows: &[&str]) -> Place {
    let place = Place::new();
    guests::file(place.folder(), "graded");
    place.write("data.jsonl", rows);
    place
}

fn arguments<'a>(output: &'a str, further: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["run", "data.jsonl", "--output", output];
    all.extend(METRICS);
    all.extend(further);
    all
}

fn resume(place: &Place, output: &str) -> std::process::Output {
    place.weigh(&arguments(output, &["--resume"]))
}

const ROWS: [&str; 4] = [
    r#"{"actual_output": "{\"answer\": 1}", "name": "a"}"#,
    r#"{"input": "no output"}"#,
    "not a row at all",
    r#"{"actual_output": "xyz"}"#,
];

#[test]
fn a_file_cut_anywhere_ends_with_the_same_bytes() {
    let place = place(&ROWS);
    expect(&place.weigh(&arguments("whole.jsonl", &[])), 3);
    let whole = place.text("whole.jsonl");
    let ends: Vec<usize> = whole.match_indices('\n').map(|(place, _)| place).collect();
    let around_ends = ends.iter().flat_map(|&end| [end - 1, end, end + 1]);
    let cuts: std::collections::BTreeSet<usize> = (0..whole.len())
        .step_by(211)
        .chain([1, 2])
        .chain(around_ends)
        .filter(|&cut| whole.is_char_boundary(cut))
        .collect();
    for cut in cuts {
        std::fs::write(place.path("cut.jsonl"), &whole[..cut]).expect("the folder takes files");
        expect(&resume(&place, "cut.jsonl"), 3);
        let resumed = place.text("cut.jsonl");
        // A file that is begun anew has its own command line.
        let begun_anew = cut <= ends[0];
        let skip = |text: &str| {
            let from = if begun_anew { text.find('\n') } else { Some(0) };
            without_times(&text[from.expect("a header")..])
        };
        assert_eq!(skip(&resumed), skip(&whole), "cut at {cut}");
    }
}

#[cfg(unix)]
#[test]
fn a_run_killed_again_and_again_ends_with_the_same_bytes() {
    let text = "word ".repeat(600);
    let rows: Vec<String> = (0..3000)
        .map(|number| format!(r#"{{"actual_output": "{{\"n\": {number}}}", "input": "{text}"}}"#))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let place = place(&rows);
    expect(&place.weigh(&arguments("whole.jsonl", &["--quiet"])), 1);
    let whole = place.text("whole.jsonl");

    let size = || std::fs::metadata(place.path("run.jsonl")).map_or(0, |file| file.len());
    let mut killed_midway = 0;
    for step in 1..12 {
        let mut child = place
            .command(&arguments("run.jsonl", &["--resume", "--quiet"]))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let until = whole.len() as u64 * step / 12;
        while size() < until && child.try_wait().expect("it can be asked").is_none() {
            std::thread::yield_now();
        }
        // SIGKILL: nothing can be flushed or put in order.
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let left = place.text("run.jsonl");
        killed_midway += u32::from(!left.contains("\"record\":\"closing\""));
        if step % 2 == 0 {
            // Whole lines are written at once, so a cut within one is rare.
            let cut = &left[..left.len().saturating_sub(100)];
            std::fs::write(place.path("run.jsonl"), cut).expect("the folder takes files");
        }
    }
    assert!(
        killed_midway >= 5,
        "{killed_midway} of 11 were killed in time"
    );
    expect(&resume(&place, "run.jsonl"), 1);
    let after_header = |text: &str| {
        let end = text.find('\n').expect("a header");
        without_times(&text[end..])
    };
    let resumed = place.text("run.jsonl");
    assert!(
        after_header(&resumed) == after_header(&whole),
        "other bytes"
    );
}

#[test]
fn a_complete_file_is_left_as_it_is() {
    let place = place(&ROWS);
    expect(&place.weigh(&arguments("run.jsonl", &[])), 3);
    let before = place.text("run.jsonl");
    // The same exit code, since the same is true of the run.
    let output = resume(&place, "run.jsonl");
    assert!(expect(&output, 3).contains("nothing was measured"));
    assert_eq!(place.text("run.jsonl"), before);
}

#[test]
fn without_a_file_a_run_begins() {
    let place = place(&ROWS);
    expect(&resume(&place, "run.jsonl"), 3);
    assert_eq!(place.records("run.jsonl").len(), 6);
}

#[test]
fn another_run_is_not_gone_on_with() {
    let place = place(&ROWS);
    expect(&place.weigh(&arguments("run.jsonl", &[])), 3);
    let before = place.text("run.jsonl");
    place.write("config.json", &[r#"{"field": "answer"}"#]);
    for (further, words) in [
        (&["--strict"][..], "policy.strict"),
        (&["--config", "@config.json"], "config"),
        (&["--max-fuel", "7000000"], "limits.fuel"),
        (&["--no-cases"], "cases"),
        (&["--limit", "2"], "dataSet.limit"),
        (&["--map", "input=question"], "dataSet.mapping"),
        (&["--metric", "exact-match"], "metrics"),
        (&["--reuse", "old.jsonl"], "reused"),
    ] {
        std::fs::copy(place.path("run.jsonl"), place.path("old.jsonl")).expect("a copy");
        let mut all = vec!["run", "data.jsonl", "--output", "run.jsonl", "--resume"];
        all.extend(&METRICS[..2]);
        all.extend(&METRICS[4..6]);
        all.extend(["--threshold", "0.2"]);
        all.extend(further);
        // The first metric keeps its threshold, but for the change.
        all.splice(7..7, ["--threshold", "1"]);
        let output = place.weigh(&all);
        expect(&output, 2);
        let said = stderr(&output);
        assert!(said.contains("is of another run"), "{said}");
        assert!(
            said.contains(words) && said.contains("--reuse run.jsonl"),
            "{said}"
        );
    }
    std::fs::write(place.path("data.jsonl"), ROWS[..3].join("\n")).expect("a file");
    let output = resume(&place, "run.jsonl");
    expect(&output, 2);
    assert!(
        stderr(&output).contains("dataSet.digest"),
        "{}",
        stderr(&output)
    );
    assert_eq!(place.text("run.jsonl"), before, "the file is as it was");
}

#[test]
fn jobs_time_and_paths_may_differ() {
    let place = place(&ROWS);
    expect(&place.weigh(&arguments("run.jsonl", &[])), 3);
    place.edit("run.jsonl", "run.jsonl", |text| {
        text[..text.rfind("{\"record\":\"result\"").expect("results")].to_owned()
    });
    std::fs::rename(place.path("data.jsonl"), place.path("moved.jsonl")).expect("it moves");
    let mut all = vec!["run", "./moved.jsonl", "--output", "run.jsonl", "--resume"];
    all.extend(METRICS);
    all.extend(["--jobs", "1"]);
    let output = place.weigh(&all);
    let said = expect(&output, 3);
    assert!(
        said.contains("test cases already in the run file: 3"),
        "{said}"
    );
}

#[test]
fn what_is_no_run_file_is_never_written_over() {
    let place = place(&ROWS);
    for (text, words) in [
        ("my thesis", "is not a run file"),
        ("my thesis\n", "is not a run file"),
        ("{\"record\":\"result\"}\n", "is not a run file"),
        (
            "{\"record\":\"header\",\"format\":\"weighbridge-run/9\"}\n",
            "weighbridge-run/9",
        ),
    ] {
        std::fs::write(place.path("run.jsonl"), text).expect("the folder takes files");
        let output = resume(&place, "run.jsonl");
        expect(&output, 2);
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert_eq!(place.text("run.jsonl"), text);
    }
    for (further, words) in [
        (
            &["--output", "-", "--resume"][..],
            "name it with `--output`",
        ),
        (&["--output", "data.jsonl", "--resume"], "is an input"),
        (
            &["--output", "run.jsonl", "--resume", "--overwrite"],
            "cannot be used with",
        ),
        (&["--resume"], "--output"),
    ] {
        let mut all = vec!["run", "data.jsonl"];
        all.extend(METRICS);
        all.extend(further);
        let output = place.weigh(&all);
        expect(&output, 2);
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let mut all = arguments("run.jsonl", &["--resume"]);
    all[1] = "-";
    let output = place.weigh(&all);
    expect(&output, 2);
    assert!(
        stderr(&output).contains("standard input"),
        "{}{}",
        stderr(&output),
        stdout(&output)
    );
}

#[cfg(target_os = "linux")]
#[test]
fn two_processes_do_not_write_one_file() {
    let place = place(&ROWS);
    expect(&place.weigh(&arguments("run.jsonl", &[])), 3);
    let before = place.text("run.jsonl");
    let file = std::fs::File::open(place.path("run.jsonl")).expect("it is there");
    file.lock().expect("it can be locked");
    for how in ["--resume", "--overwrite"] {
        let output = place.weigh(&arguments("run.jsonl", &[how]));
        expect(&output, 2);
        let said = stderr(&output);
        assert!(said.contains("being written by another process"), "{said}");
    }
    assert_eq!(place.text("run.jsonl"), before);
}
