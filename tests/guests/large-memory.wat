(memory $large 8192)
(func $measure (param $case i32) (result i32) (call $score (f64.const 1)))
