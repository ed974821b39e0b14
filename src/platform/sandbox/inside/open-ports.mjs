// Runs inside a new sandbox, before its program. Opens ports on the loopback interface of the new network namespace and
// passes the listening sockets to the service, which then accepts the connections. The file is plain JavaScript,
// because Node starts it in half the time.
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
