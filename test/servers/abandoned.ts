/** Separate program for `servers.test.ts`: starts every server, prints their URLs, and waits to be killed. */
import { startPostgres } from './postgres.ts'
import { startS3 } from './s3.ts'

const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
process.stdout.write(JSON.stringify({ url: postgres.url, endpoint: s3.endpoint }))
