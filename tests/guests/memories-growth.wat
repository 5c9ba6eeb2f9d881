;; Each memory stays below the limit; their sum doesn't.
(memory $second 1)
(memory $third 1)
(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (drop (memory.grow (i32.const 1600)))
    (drop (memory.grow $second (i32.const 1600)))
    (drop (memory.grow $third (i32.const 1600)))))
  (call $score (f64.const 1)))
