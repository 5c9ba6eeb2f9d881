;; What every guest shares: a bump allocator, a description that asks for
;; `actual_output` (which may be blank), and a way to return a score. A guest
;; adds `$measure` and behaves until the answer begins with an `x`.

(memory (export "memory") 2)
(global $heap (mut i32) (i32.const 4096))

(func (export "cabi_realloc") (param $old i32) (param $old_size i32) (param $align i32) (param $size i32) (result i32)
  (local $place i32)
  (local.set $place (i32.and (i32.add (global.get $heap) (i32.const 7)) (i32.const -8)))
  (global.set $heap (i32.add (local.get $place) (local.get $size)))
  (block $fits
    (loop $grow
      (br_if $fits (i32.le_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536))))
      (if (i32.eq (memory.grow (i32.const 1)) (i32.const -1)) (then unreachable))
      (br $grow)))
  (local.get $place))

;; result<description, failure> at 1024: ok, {name, summary, requires, reads,
;; direction, lowest, highest, config-schema, judge-steps}.
(data (i32.const 1024)
  "\00\00\00\00\00\00\00\00"
  "\00\06\00\00\05\00\00\00"                   ;; name: 1536, 5 bytes
  "\10\06\00\00\08\00\00\00"                   ;; summary: 1552, 8 bytes
  "\20\06\00\00\01\00\00\00"                   ;; requires: 1568, 1 item
  "\00\00\00\00\00\00\00\00"                   ;; reads: nothing
  "\00\00\00\00\00\00\00\00"                   ;; direction: higher is better
  "\00\00\00\00\00\00\00\00"                   ;; lowest: 0.0
  "\00\00\00\00\00\00\f0\3f"                   ;; highest: 1.0
  "\00\00\00\00\00\00\00\00\00\00\00\00"       ;; config-schema: none
  "\00\00\00\00\00\00\00\00")                  ;; judge-steps: nothing
(data (i32.const 1536) "guest")
(data (i32.const 1552) "behaves?")
(data (i32.const 1568) "\01\01")               ;; actual-output, may be blank

(func (export "weighbridge:metric/metric@0.1.0#describe") (param i32 i32) (result i32)
  (i32.const 1024))

(export "weighbridge:metric/metric@0.1.0#measure" (func $measure))

;; Whether the case's actual_output begins with an `x`.
(func $provoked (param $case i32) (result i32)
  (if (i32.eqz (i32.load8_u offset=12 (local.get $case))) (then (return (i32.const 0))))
  (if (i32.eqz (i32.load offset=20 (local.get $case))) (then (return (i32.const 0))))
  (i32.eq (i32.load8_u (i32.load offset=16 (local.get $case))) (i32.const 120)))

;; result<measurement, failure> at 2048: ok, {score, no reason, no breakdown}.
(func $score (param $score f64) (result i32)
  (f64.store (i32.const 2056) (local.get $score))
  (i32.const 2048))

;; The same with a reason.
(func $score_with_reason (param $score f64) (param $place i32) (param $length i32) (result i32)
  (i32.store8 (i32.const 2064) (i32.const 1))
  (i32.store (i32.const 2068) (local.get $place))
  (i32.store (i32.const 2072) (local.get $length))
  (call $score (local.get $score)))
