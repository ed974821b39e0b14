import { commands, stepsOf } from './commands.mjs'
import { launch } from './launch.mjs'
import { paths } from './paths.mjs'
import { prepare } from './prepare.mjs'
import { logLine, SetupError } from './report.mjs'

const [name = '', ...extra] = process.argv.slice(2)
process.exitCode = await main().catch((error) => {
  if (!(error instanceof SetupError)) throw error
  logLine(error.message)
  return 1
})

async function main() {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw new SetupError(`Unknown command "${name}". Commands: ${Object.keys(commands).join(', ')}.`)
  const { node, environment } = await prepare(command, paths, process.env)
  return launch(stepsOf(command, extra, environment), { node, environment, root: paths.root })
}
