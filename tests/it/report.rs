//! Reports are pure functions of what a run came to.

use weighbridge::report;
use weighbridge::summary::Summary;

#[test]
fn the_table_fits_a_terminal_of_80_columns() {
    let summary = Summary::new(["exact-match".to_owned()]);
    for (width, with_version) in [(80, false), (100, true)] {
        let table = report::table(&summary, &["sha256:0123456789"], true, width);
        for line in table.lines() {
            assert!(line.chars().count() <= usize::from(width), "{table}");
        }
        assert_eq!(table.contains("01234567"), with_version, "{table}");
        assert!(table.contains("exact-match"), "{table}");
    }
}
