(func $measure (param $case i32) (result i32)
  (call $score (select (f64.const 1.0000000001) (f64.const 1) (call $provoked (local.get $case)))))
