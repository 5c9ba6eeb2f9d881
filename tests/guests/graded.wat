;; Scores the length of actual_output in hundredths, so that any score can be
;; asked for; an answer that begins with an `x` is the metric's own failure.
(data (i32.const 3072) "out of order")
(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (i32.store8 (i32.const 2048) (i32.const 1))
    (i32.store (i32.const 2056) (i32.const 3072))
    (i32.store (i32.const 2060) (i32.const 12))
    (return (i32.const 2048))))
  (call $score (f64.div
    (f64.convert_i32_u (i32.load offset=20 (local.get $case)))
    (f64.const 100))))
