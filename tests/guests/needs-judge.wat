(import "weighbridge:metric/judge@0.1.0" "ask-all" (func $ask (param i32 i32 i32)))
(func $measure (param $case i32) (result i32)
  (call $ask (i32.const 0) (i32.const 0) (i32.const 3072))
  (call $score (f64.const 1)))
