import { commands, stepsOf } from './commands.mjs'
import { launch } from './launch.mjs'
import { places } from './paths.mjs'
import { prepare } from './prepare.mjs'
import { Refusal, say } from './report.mjs'

const [name = '', ...extra] = process.argv.slice(2)
process.exitCode = await main().catch((error) => {
  if (!(error instanceof Refusal)) throw error
  say(error.message)
  return 1
})

async function main() {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new Refusal(`Unknown command "${name}". Commands: ${Object.keys(commands).join(', ')}.`)
  const { node, environment } = await prepare(command, places, process.env)
  return launch(stepsOf(command, extra, environment), { node, environment, root: places.root })
}
