(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then (loop $for_ever (br $for_ever))))
  (call $score (f64.const 1)))
