;; A reason of 200 MiB.
(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (drop (memory.grow (i32.const 3200)))
    (return (call $score_with_reason (f64.const 1) (i32.const 65536) (i32.const 209715200)))))
  (call $score (f64.const 1)))
