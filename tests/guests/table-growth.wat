(table $table 1 funcref)
(func $measure (param $case i32) (result i32)
  (if (call $provoked (local.get $case)) (then
    (loop $more (br_if $more (i32.ne (table.grow $table (ref.null func) (i32.const 65536)) (i32.const -1))))))
  (call $score (f64.const 1)))
