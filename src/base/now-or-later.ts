/**
 * A value that is usually there, and sometimes has to be waited for. On the road of every call a promise more would be
 * felt, so what may answer at once says so by this type and is continued by {@link proceed}.
 */
export type NowOrLater<Value> = Value | Promise<Value>

/** Continues with a value: at once where it is there. */
export function proceed<Value, Next>(
  value: NowOrLater<Value>,
  next: (value: Value) => NowOrLater<Next>,
): NowOrLater<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}
