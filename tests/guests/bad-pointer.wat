(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (return (call $score_with_reason (f64.const 1) (i32.const -16) (i32.const 64)))))
  (call $score (f64.const 1)))
