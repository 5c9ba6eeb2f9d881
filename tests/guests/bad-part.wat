;; One part without a finite score.
(data (i32.const 3072) "part")
(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (i32.store (i32.const 2076) (i32.const 3136))
    (i32.store (i32.const 2080) (i32.const 1))
    (i32.store (i32.const 3136) (i32.const 3072))
    (i32.store (i32.const 3140) (i32.const 4))
    (f64.store (i32.const 3144) (f64.const nan))))
  (call $score (f64.const 1)))
