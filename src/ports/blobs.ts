/** Bytes by key. Keys are chosen by us, so an adapter never has to escape them. */
export interface Blobs {
  /** Bytes, or an iterable of their parts. */
  put(key: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>
  get(key: string): Promise<Uint8Array | undefined>
  /** The same as a stream, if that is possible without holding all of it in memory. */
  open(key: string): Promise<OpenBlob | undefined>
  delete(key: string): Promise<void>
}

export interface OpenBlob {
  size: number
  chunks(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}
