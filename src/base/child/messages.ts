/** Frames from the parent to its child process. */
export type ToChild = { id: number; request: unknown } | { id: number; note: unknown }

/** Frames from the child process to its parent; each belongs to the request with this id. */
export type FromChild =
  | { id: number; reply: unknown }
  | { id: number; problem: string }
  | { id: number; note: unknown }

/** File descriptor of the connection to the parent. */
export const parentDescriptor = 3

/** Frames that neither side exceeds: the parent decides by its own, smaller limits. */
export const maxFrameBytes = 0xffff_ffff
