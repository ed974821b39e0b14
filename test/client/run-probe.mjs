import * as library from 'winnow-client'
import { probe } from './probe.mjs'

const [options] = globalThis.Deno?.args ?? process.argv.slice(2)
console.log(JSON.stringify(await probe(library, JSON.parse(options))))
