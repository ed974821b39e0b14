import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strip } from './strip.ts'

/** Imports the output of generators for comments in code: `node collect-reference.ts FOLDER`. */
const folder = process.argv[2]
if (folder === undefined) throw new Error('Which folder?')

/** Page names in the corpus and paths in the output, by generator. */
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
  typedoc: {
    readme: 'index.html',
    hierarchy: 'hierarchy.html',
    class: 'classes/Station.html',
    error: 'classes/GaugeError.html',
    enum: 'enums/Quality.html',
    interface: 'interfaces/Reading.html',
    options: 'interfaces/ReadOptions.html',
    type: 'types/Listener.html',
    function: 'functions/predict.html',
    namespace: 'modules/defaults.html',
  },
  doxygen: {
    index: 'index.html',
    guide: 'guide.html',
    file: 'skerry_8h.html',
    struct: 'structskerry__reading.html',
    'class-template': 'classskerry_1_1Gauge.html',
    class: 'classskerry_1_1SerialGauge.html',
    error: 'classskerry_1_1GaugeError.html',
    namespace: 'namespaceskerry.html',
    'class-list': 'annotated.html',
    deprecated: 'deprecated.html',
  },
  haddock: {
    contents: 'index.html',
    index: 'doc-index.html',
    module: 'Skerry.html',
    types: 'Skerry-Curve.html',
    errors: 'Skerry-Errors.html',
  },
  openapi: {
    'swagger-ui': 'swagger-ui.html',
    'swagger-ui-open': 'swagger-ui-open.html',
    redoc: 'redoc.html',
    scalar: 'scalar.html',
  },
  'gtk-doc': {
    book: 'index.html',
    chapter: 'tutorial.html',
    section: 'ch01s02.html',
    part: 'classes.html',
    object: 'skerry-SkerryStation.html',
    functions: 'skerry-Curves.html',
    index: 'api-index-full.html',
  },
  'sphinx-autodoc': {
    summary: 'pydata_sphinx_theme/index.html',
    numpydoc: 'pydata_sphinx_theme/mean.html',
    class: 'pydata_sphinx_theme/series.html',
    'class-in-furo': 'furo/series.html',
    'class-in-rtd': 'sphinx_rtd_theme/series.html',
    module: 'furo/module.html',
    'module-in-rtd': 'sphinx_rtd_theme/module.html',
    history: 'alabaster/history.html',
    'history-in-rtd': 'sphinx_rtd_theme/history.html',
    index: 'alabaster/genindex.html',
  },
  pdoc: {
    module: 'skerry.html',
    functions: 'skerry/curve.html',
    errors: 'skerry/errors.html',
  },
}

for (const [generator, pages] of Object.entries(rendered)) {
  const pageFolder = new URL(`pages/${generator}/`, import.meta.url)
  mkdirSync(pageFolder, { recursive: true })
  for (const [name, path] of Object.entries(pages)) {
    writeFileSync(
      new URL(`${name}.html`, pageFolder),
      strip(readFileSync(join(folder, generator, path), 'utf8')),
    )
  }
}
