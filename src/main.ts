import { flushCompileCache } from 'node:module'
import { keepCompiledCode } from './platform/compile-cache.ts'
import './platform/child/starting-parent.ts'

// Before anything else is loaded: the second start reads compiled code instead of the sources.
keepCompiledCode()

const { run } = await import('./bootstrap/commands/run.ts')
await run(process.argv.slice(2))
// Now, as a service that is killed would leave nothing for the next start.
flushCompileCache()
