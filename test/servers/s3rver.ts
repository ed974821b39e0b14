/** Separate program, started by `s3.ts`, so that its old dependencies do not conflict with those of the tests. */
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { refusal } from './s3-signature.ts'

interface S3rver {
  callback(): RequestListener
  configureBuckets(): Promise<unknown>
}

// The package has no types. These are the two members that this file calls.
const s3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver

// The only caller writes this argument with JSON.stringify from these fields.
const { folder, port, bucket, credentials } = JSON.parse(process.argv[2] ?? '') as {
  folder: string
  port: number
  bucket: string
  credentials: { accessKeyId: string; secretAccessKey: string }
}
const options = { directory: join(folder, 's3rver'), silent: true, configureBuckets: [{ name: bucket }] }
const storage = new s3rver(options)
await storage.configureBuckets()
const serve = storage.callback()

// s3rver accepts any signature of version 4, and unsigned requests. This server therefore checks the signature
// itself.
createServer((request, response) => {
  const reason = refusal(request, credentials)
  if (!reason) return serve(request, response)
  request.resume()
  response.writeHead(403, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${reason}</Code></Error>`)
}).listen(port, '127.0.0.1')
