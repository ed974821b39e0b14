/** A response or a socket. */
export interface Closable {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Resolves when a connection has closed. */
export async function untilClosed(connection: Closable): Promise<void> {
  // The event of a connection that has closed already does not come again.
  if (!connection.closed) await new Promise<void>((resolve) => connection.once('close', resolve))
}
