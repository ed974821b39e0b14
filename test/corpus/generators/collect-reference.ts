import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strip } from './strip.ts'

/** Takes in what generators made of comments in code: `node collect-reference.ts FOLDER`. */
const folder = process.argv[2]
if (folder === undefined) throw new Error('Which folder?')

/** By generator: the names of pages here, and where each was written. */
const rendered: Record<string, Record<string, string>> = {
  javadoc: {
    'package-summary': 'test/skerry/package-summary.html',
    class: 'test/skerry/Station.html',
    interface: 'test/skerry/Gauge.html',
    record: 'test/skerry/Reading.html',
    enum: 'test/skerry/Quality.html',
    exception: 'test/skerry/GaugeException.html',
    annotation: 'test/skerry/Measured.html',
    'constant-values': 'constant-values.html',
    'deprecated-list': 'deprecated-list.html',
    'class-use': 'test/skerry/class-use/Reading.html',
  },
  rustdoc: {
    crate: 'skerry/index.html',
    module: 'skerry/curve/index.html',
    struct: 'skerry/struct.Reading.html',
    'struct-with-steps': 'skerry/curve/struct.Curve.html',
    enum: 'skerry/enum.Datum.html',
    trait: 'skerry/trait.Gauge.html',
    function: 'skerry/fn.read.html',
    deprecated: 'skerry/fn.guess.html',
    macro: 'skerry/macro.readings.html',
    type: 'skerry/type.Outcome.html',
  },
  rdoc: {
    readme: 'index.html',
    tutorial: 'TUTORIAL_rdoc.html',
    configuration: 'CONFIGURATION_md.html',
    changelog: 'CHANGELOG_md.html',
    module: 'Skerry.html',
    class: 'Skerry/Station.html',
    'class-with-alias': 'Skerry/Gauge.html',
    error: 'Skerry/GaugeError.html',
    'module-methods': 'Skerry/Curves.html',
    contents: 'table_of_contents.html',
  },
}

for (const [generator, pages] of Object.entries(rendered)) {
  const here = new URL(`pages/${generator}/`, import.meta.url)
  mkdirSync(here, { recursive: true })
  for (const [name, path] of Object.entries(pages)) {
    writeFileSync(new URL(`${name}.html`, here), strip(readFileSync(join(folder, generator, path), 'utf8')))
  }
}
