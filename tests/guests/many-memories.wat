(memory 1) (memory 1) (memory 1) (memory 1) (memory 1) (memory 1) (memory 1) (memory 1)
(func $measure (param $case i32) (result i32) (call $score (f64.const 1)))
