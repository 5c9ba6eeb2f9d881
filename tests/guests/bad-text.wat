;; A reason that isn't UTF-8.
(data (i32.const 3072) "\ff\fe\fd")
(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (return (call $score_with_reason (f64.const 1) (i32.const 3072) (i32.const 3)))))
  (call $score (f64.const 1)))
