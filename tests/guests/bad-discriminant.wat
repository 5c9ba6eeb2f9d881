(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then (i32.store8 (i32.const 2048) (i32.const 7))))
  (call $score (f64.const 1)))
