/** A program of its own for `servers.test.ts`: starts every server, says where they are, and waits to be killed. */
import { startPostgres } from './postgres.ts'
import { startS3 } from './s3.ts'

const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
process.stdout.write(JSON.stringify({ url: postgres.url, endpoint: s3.endpoint }))
