(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then unreachable))
  (call $score (f64.const 1)))
