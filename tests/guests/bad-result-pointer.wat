(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then (return (i32.const -8))))
  (call $score (f64.const 1)))
