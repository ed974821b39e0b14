// Runs inside a new sandbox, before its program: opens ports on the loopback of the new network namespace and passes them to
// the service, which from then on accepts the connections. Plain JavaScript, because it starts in half the time.
import { createServer } from 'node:net'

for (const port of process.argv.slice(2).map(Number)) {
  const server = createServer()
  await new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  await new Promise((resolve, reject) => {
    process.send({ port }, server, (error) => (error ? reject(error) : resolve()))
  })
}
process.exit(0)
