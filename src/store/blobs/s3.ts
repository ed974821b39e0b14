import { S3mini } from 's3mini'
import { codeOf, storeUnavailable } from '../../platform/errors.ts'
import type { Blobs } from '../../platform/ports/blobs.ts'
import { checkedBlobs, checkedKey, readAll } from './checked-blobs.ts'

export interface Bucket {
  endpoint: string
  region: string
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

export function s3Blobs(bucket: Bucket): Blobs {
  const { prefix, ...connection } = bucket
  const client = new S3mini({ ...connection, requestAbortTimeout: 30_000, fetch: fetchWithoutRedirects })
  return checkedBlobs({
    write: (name, bytes) =>
      withStoreErrors(async () => {
        // A bucket requires the length before the first byte.
        const allBytes = bytes instanceof Uint8Array ? bytes : await readAll(bytes)
        const response = await client.putObject(
          prefix + checkedKey(name()),
          allBytes,
          'application/octet-stream',
        )
        if (!response.ok) throw new Error(`The bucket refused to keep a blob (status ${response.status}).`)
      }),
    get: (key) =>
      withStoreErrors(async () => {
        const bytes = await client.getObjectArrayBuffer(prefix + checkedKey(key))
        return bytes === null ? undefined : new Uint8Array(bytes)
      }),
    open: (key) =>
      withStoreErrors(async () => {
        const path = prefix + checkedKey(key)
        const size = await findSize(client, path)
        return size === undefined ? undefined : { size, chunks: () => readRanges(client, path, size) }
      }),
    delete: (key) => withStoreErrors(async () => void (await client.deleteObject(prefix + checkedKey(key)))),
    list: (folder, { after, limit }) =>
      withStoreErrors(async () => {
        const start = after === '' ? {} : { 'start-after': prefix + after }
        const folderPrefix = `${prefix}${checkedKey(folder)}/`
        const page = await client.listObjectsPaged('/', folderPrefix, limit, undefined, start)
        if (!page) throw new Error('The bucket does not exist.')
        return (page.objects ?? []).map(({ Key, Size, LastModified }) => ({
          name: Key.slice(prefix.length),
          size: Number(Size),
          modifiedAt: new Date(LastModified).getTime(),
        }))
      }),
  })
}

/** Keys and bytes of the service are valid, so every error comes from the bucket or the network. */
async function withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw storeUnavailable({ part: 'blobs', reason: findReason(cause), retryAfter: 2 }, withoutBody(cause))
  }
}

const reasons: Record<string, string> = {
  RequestTimeTooSkewed: 'the clock of this machine differs too much from the clock of the bucket',
  QuotaExceeded: 'the bucket is full',
  InsufficientStorage: 'the bucket is full',
  XMinioStorageFull: 'the bucket is full',
}

function findReason(thrown: unknown): string {
  if (thrown instanceof Error && 'status' in thrown && thrown.status === 507) return 'the bucket is full'
  return reasons[codeOf(thrown)] ?? 'the bucket does not answer or answers with an error'
}

/** Rejects redirects, which would send stored data to another server and return bytes from it. */
const fetchWithoutRedirects: typeof fetch = async (target, init) => {
  const response = await fetch(target, { ...init, redirect: 'manual' })
  if (response.status < 300 || response.status >= 400) return response
  await response.body?.cancel()
  throw new Error(`The bucket answered with a redirect (status ${response.status}), which is not followed.`)
}

/** Removes the body of an error, which is logged: the server may repeat the request with its signature in it. */
function withoutBody(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !('status' in thrown)) return thrown
  const code = 'code' in thrown && /^\w{1,60}$/.test(String(thrown.code)) ? `, ${thrown.code}` : ''
  return new Error(`The bucket answered with an error (status ${thrown.status}${code}).`)
}

/** A bucket does not wait for a slow reader, so a stream reads ranges and holds one of them in memory. */
const rangeBytes = 1024 * 1024

async function* readRanges(client: S3mini, key: string, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < size; from += rangeBytes) {
    const to = Math.min(from + rangeBytes, size)
    yield await withStoreErrors(async () => {
      const response = await client.getObjectRaw(key, false, from, to)
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (bytes.length !== to - from)
        throw new Error(`The bucket sent ${bytes.length} bytes for a range of ${to - from}.`)
      return bytes
    })
  }
}

async function findSize(client: S3mini, key: string): Promise<number | undefined> {
  try {
    return await client.getContentLength(key)
  } catch (thrown) {
    const cause = thrown instanceof Error ? thrown.cause : undefined
    if (cause instanceof Error && 'status' in cause && cause.status === 404) return undefined
    throw cause ?? thrown
  }
}
