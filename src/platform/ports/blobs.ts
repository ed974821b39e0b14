/**
 * Immutable bytes by name. Names start with a folder and ids of the service, so an adapter never has to escape them.
 */
export interface Blobs {
  /**
   * Stores bytes, or an iterable of their parts. Resolves to their name: `start` with their size and hash appended
   * (`platform/blob-name.ts`). So a blob cannot be stored without them.
   */
  put(start: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
  /** Returns the bytes; undefined for an unknown name. Throws STORED_DATA_DAMAGED if they do not match the name. */
  get(name: string): Promise<Uint8Array | undefined>
  /**
   * Returns the bytes as a stream, which does not hold a large blob in memory. Size and, up to 8 MB, the hash are
   * checked before this resolves. Above that size, the stream throws STORED_DATA_DAMAGED before its last chunk. With
   * `isCheckedFirst`, the hash of a large blob is also checked before, so the blob is read twice.
   */
  open(name: string, options?: { isCheckedFirst?: boolean }): Promise<OpenBlob | undefined>
  /** Deletes a blob. Deleting a blob that does not exist is not an error. */
  delete(name: string): Promise<void>
  /** Returns blobs of a folder whose names follow `after`, in the order of their bytes. An empty list is the end. */
  list(folder: string, page: { after: string; limit: number }): Promise<ListedBlob[]>
}

export interface OpenBlob {
  size: number
  chunks(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

export interface ListedBlob {
  name: string
  size: number
  /** Time of the last change in milliseconds, by the clock of the disk or the bucket. */
  modifiedAt: number
}
