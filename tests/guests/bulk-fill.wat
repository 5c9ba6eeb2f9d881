;; Few instructions, much work: each fills 128 MiB.
(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (drop (memory.grow (i32.const 2048)))
    (loop $more
      (memory.fill (i32.const 65536) (i32.const 1) (i32.const 134217728))
      (br $more))))
  (call $score (f64.const 1)))
