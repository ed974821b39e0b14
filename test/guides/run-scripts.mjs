// Runs example programs in one process, one after the other, and prints the output of each as a line of JSON.
import { registerHooks } from 'node:module'
import { format } from 'node:util'

const [clientUrl, ...files] = process.argv.slice(2)
// The examples import packages by name, as programs do that have installed them.
registerHooks({
  resolve: (name, context, next) =>
    name === 'winnow-client'
      ? { url: clientUrl, shortCircuit: true }
      : next(name, /^[a-z]/.test(name) ? { ...context, parentURL: import.meta.url } : context),
})

const { log } = console
for (const file of files) {
  let stdout = ''
  console.log = (...values) => {
    stdout += `${format(...values)}\n`
  }
  let error
  try {
    await import(file)
  } catch (thrown) {
    error = String(thrown?.stack ?? thrown)
  }
  log(JSON.stringify({ file, stdout, error }))
}
process.exit(0)
