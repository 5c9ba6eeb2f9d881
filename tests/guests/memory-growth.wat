;; Grows by 1 MiB until it is refused, then scores as if nothing had been.
(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (loop $more (br_if $more (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))))
  (call $score (f64.const 1)))
