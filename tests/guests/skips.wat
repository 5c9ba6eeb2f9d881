;; Says not-applicable.
(data (i32.const 3072) "not my kind")
(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (i32.store8 (i32.const 2048) (i32.const 1))
    (i32.store (i32.const 2056) (i32.const 3072))
    (i32.store (i32.const 2060) (i32.const 11))
    (i32.store8 (i32.const 2064) (i32.const 1))
    (i32.store8 (i32.const 2065) (i32.const 2))
    (return (i32.const 2048))))
  (call $score (f64.const 1)))
