/** Immutable bytes by name. Names consist of a folder and ids of the service, so an adapter need not escape them. */
export interface Blobs {
  /** Resolves to the name: `start` with size and hash appended, so that a blob cannot be stored without them. */
  put(start: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
  /** Returns the bytes; undefined for an unknown name. Throws STORED_DATA_DAMAGED if they do not match the name. */
  get(name: string): Promise<Uint8Array | undefined>
  /** The hash is checked first up to 8 MB or with `isCheckedFirst` (reads twice), otherwise before the last chunk. */
  open(name: string, options?: { isCheckedFirst?: boolean }): Promise<OpenBlob | undefined>
  /** Deleting a blob that does not exist is not an error. */
  delete(name: string): Promise<void>
  /** Returns the names after `after` in byte order. An empty list is the end. */
  list(folder: string, page: { after: string; limit: number }): Promise<ListedBlob[]>
}

export interface OpenBlob {
  size: number
  chunks(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

export interface ListedBlob {
  name: string
  size: number
  modifiedAt: number
}
