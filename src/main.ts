import { flushCompileCache } from 'node:module'
import { enablePrivateCompileCache } from './platform/compile-cache.ts'
import './platform/child/starting-parent.ts'

// Enabled before anything else is loaded, so that the next start reads compiled code instead of the sources.
enablePrivateCompileCache()

const { run } = await import('./bootstrap/commands/run.ts')
await run(process.argv.slice(2))
// Flushed now, because a killed service would leave nothing for the next start.
flushCompileCache()
