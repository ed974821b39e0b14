import { enableCompileCache } from 'node:module'

// Before anything else is loaded: the second start reads compiled code instead of the sources.
enableCompileCache()

const { run } = await import('./commands/run.ts')
await run(process.argv.slice(2))
