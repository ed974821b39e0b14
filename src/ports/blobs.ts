/** Bytes by key. Keys are chosen by us, so an adapter never has to escape them. */
export interface Blobs {
  put(key: string, bytes: Uint8Array): Promise<void>
  get(key: string): Promise<Uint8Array | undefined>
  delete(key: string): Promise<void>
}
