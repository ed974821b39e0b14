import {
  bullets,
  code,
  definitions,
  h2,
  h3,
  type ManualPage,
  note,
  p,
  signature,
  steps,
  table,
} from './block.ts'

/** Pages of the manual with reference material. */
export const reference: ManualPage[] = [
  {
    name: 'configuration',
    title: 'Configuration file',
    blocks: [
      p(
        'Settings are read from `skerry.toml` in the folder of the stations. A setting that is not there has its default.',
      ),
      h2('General settings'),
      table(
        ['Setting', 'Type', 'Default', 'Meaning'],
        [
          ['`timezone`', 'string', '`UTC`', 'Zone of printed times'],
          ['`clock`', 'integer', '`24`', 'Twelve or twenty-four hours'],
          ['`datum`', 'string', '`LAT`', 'Level that heights are counted from'],
          ['`precision`', 'integer', '`2`', 'Digits behind the point'],
        ],
        'Settings of the whole program',
      ),
      h2('Settings of a station'),
      table(
        ['Setting', 'Required', 'Unit'],
        [
          ['`latitude`', 'yes', 'degrees'],
          ['`longitude`', 'yes', 'degrees'],
          ['`offset`', 'no', 'metres'],
          ['`sill`', 'no', 'metres'],
        ],
      ),
      note('important', 'The sill is counted from chart datum, not from the quay.'),
      h2('Precedence'),
      steps('Options on the command line', 'Variables of the environment', 'The file', 'Defaults'),
      code(
        'toml',
        'datum = "LAT"\nprecision = 1\n\n[hallig]\nlatitude = 54.6\nlongitude = 8.5\nsill = 1.2',
        'skerry.toml',
      ),
      p('Names of stations are not sensitive to case.'),
    ],
  },
  {
    name: 'api',
    title: 'Functions of the library',
    blocks: [
      p('All functions live in the module `skerry`. Heights are metres and times are aware of their zone.'),
      signature({
        name: 'read',
        parameters: [
          { name: 'station', type: 'str', text: 'Name of the station.' },
          { name: 'since', type: 'int', default: '0', text: 'Seconds to look back.' },
        ],
        returns: { type: 'list', text: 'Readings, the oldest first.' },
        text: 'Read what a gauge has stored.',
      }),
      signature({
        name: 'predict',
        parameters: [
          { name: 'station', type: 'str', text: 'Station with constituents.' },
          { name: 'days', type: 'int', default: '1', text: 'Length of the prediction.' },
          { name: 'step', type: 'float', default: '0.1', text: 'Hours between two heights.' },
        ],
        returns: { type: 'Curve', text: 'Heights at even steps.' },
        text: 'Predict the curve of a station from its constituents.',
      }),
      signature({
        name: 'window',
        parameters: [
          { name: 'curve', type: 'Curve', text: 'A predicted curve.' },
          { name: 'draught', type: 'float', text: 'Draught of the boat with all margins.' },
        ],
        returns: { type: 'tuple', text: 'Begin and end of the time in which the sill can be passed.' },
        text: 'Find when there is water enough.',
      }),
      h2('Errors'),
      p('Every function raises `GaugeError` when the line is dead.'),
      code(
        'python',
        'try:\n    skerry.read("hallig")\nexcept skerry.GaugeError as error:\n    print(error.station)',
      ),
    ],
  },
  {
    name: 'cli',
    title: 'Command line',
    blocks: [
      p('One command with four subcommands.'),
      h2('Synopsis'),
      code('console', '$ skerry [--station NAME] [--json] COMMAND'),
      h2('Options'),
      definitions(
        ['`--station NAME`', 'Work on this station only.'],
        ['`--json`', 'Print objects, one per line.'],
        ['`--since SECONDS`', 'Look back this far; the default is one day.'],
      ),
      h2('Commands'),
      table(
        ['Command', 'What it does', 'Writes files'],
        [
          ['`fetch`', 'Stores constituents', 'yes'],
          ['`table`', 'Prints high and low water', 'no'],
          ['`curve`', 'Draws the curve of a day', 'yes'],
          ['`watch`', 'Follows a gauge', 'no'],
        ],
      ),
      h2('Exit status'),
      definitions(
        ['0', 'All went well.'],
        ['3', 'A gauge did not answer.'],
        ['4', 'No constituents are known.'],
      ),
      h2('Example'),
      code(
        'console',
        '$ skerry table --station hallig\n03:12  low   0.41\n09:30  high  3.05',
        'A table of one morning',
      ),
      p('The columns are time, kind and height.'),
    ],
  },
  {
    name: 'changelog',
    title: 'Release notes',
    blocks: [
      p('Versions follow semantic versioning since 2.0.'),
      h2('2.3.0 (2026-03-14)'),
      h3('Added'),
      bullets('Pressure sensors over Modbus.', [
        'New subcommand `watch`:',
        ['follows one gauge', 'stops on the first error'],
      ]),
      h3('Fixed'),
      bullets('Summer time in zones south of the equator.', 'A crash when `sill` was negative.'),
      h2('2.2.1 (2025-11-02)'),
      h3('Fixed'),
      bullets('Curves no longer end one step early.'),
      h2('2.0.0 (2025-05-30)'),
      note('warning', 'Files of version 1 must be converted once.'),
      h3('Removed'),
      bullets('The function `guess`, which was as good as its name.'),
      h2('1.0.0 (2023-08-19)'),
      p('First release. It had one station and many hopes.'),
    ],
  },
  {
    name: 'troubleshooting',
    title: 'When something goes wrong',
    blocks: [
      p('Start with the code that the program printed. It stands in brackets at the end of the line.'),
      h2('Codes'),
      table(
        ['Code', 'Cause', 'What to do'],
        [
          ['`E01`', 'Line is dead', 'Check the plug'],
          ['`E02`', 'Wrong speed', 'Set `baud` to 9600'],
          ['`E07`', 'Clock is off', 'Run `ntpdate` once'],
          ['`E11`', 'File is damaged', 'Fetch the station again'],
        ],
        'Codes of the drivers',
      ),
      h2('The gauge is silent'),
      steps(
        'Look for the green lamp.',
        ['Measure the loop current:', ['4 mA is an empty gauge', '20 mA is a full one']],
        'Turn the two wires of the pair.',
      ),
      code('bash', 'stty -F /dev/ttyUSB0 9600\ncat /dev/ttyUSB0', 'Listening to a serial line'),
      h2('Heights are far off'),
      p('The usual cause is a datum that was entered twice. Compare with a printed table at **low** water.'),
      note('caution', 'Never correct a height by changing the clock.'),
      h2('Report a fault'),
      p('Send the file `skerry.log` and the model of the gauge.'),
    ],
  },
]
