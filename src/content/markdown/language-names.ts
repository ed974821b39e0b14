/** The names of languages, each followed by the other names that highlighters give to it. */
const names = `
abap
actionscript as3
ada
apache apacheconf
applescript osascript
asciidoc adoc
asm assembly nasm gas armasm x86asm
autohotkey ahk
awk gawk
bash sh shell zsh ksh shellscript shell-script curl
batch bat cmd dosbatch batchfile
bibtex
c
caddyfile
clojure clj edn
cmake
cobol
coffeescript coffee
console shell-session shellsession sh-session bash-session terminal doscon shell-console
cpp c++ cxx hpp cc hxx
crystal
csharp c# cs dotnet
css
csv
cuda cu
cython pyx
d dlang
dart
diff patch udiff
dockerfile docker containerfile
dot graphviz gv
elixir ex exs iex
elm
emacs-lisp elisp emacslisp
erb html-erb eruby rhtml
erlang erl
fish fish-shell
fortran f90 f95 fortranfixed
fsharp f# fs
gdscript
gherkin cucumber feature
glsl
go golang
graphql gql
groovy
haml
handlebars hbs html-handlebars
haskell hs lhs literate-haskell
haxe hx
hcl
hlsl
html htm xhtml html-basic html5
http
idris
ini cfg dosini conf
java
javascript js node mjs cjs ecmascript nodejs
jinja jinja2 django html+jinja html+django htmldjango
json jsonl ndjson
json5
jsonc
jsx
julia jl
kotlin kt kts
latex
less
lisp common-lisp commonlisp cl
llvm
lua
makefile make mf gnumakefile
markdown md mkd
mathematica wl
matlab
maxima
mermaid
meson
nginx nginxconf
nim nimrod
nix nixos
objective-c objc objectivec obj-c
ocaml ml
octave
org
pascal delphi objectpascal
perl pl
perl6 raku
php html+php php-html phpcode
plantuml puml
plpgsql
powershell ps1 posh pwsh ps
prolog
properties jproperties java-properties
protobuf proto proto3
pug jade
puppet pp
purescript purs
python py python3 py3 ipython ipython3 pycon pycon3 python-console python-repl python2 pytb pytb3 py3tb doctest ipython2
qml
r rlang rconsole splus
racket rkt
reason reasonml
regex regexp
rst rest restructuredtext
ruby rb irb rbcon
rust rs
sass
scala
scheme scm
scss
smalltalk
solidity sol
sparql
sql mysql postgresql postgres psql sqlite sqlite3 tsql plsql mariadb
stan
stylus styl
svelte
swift
systemd
systemverilog sv
tcl
terraform tf
tex
toml
tsx
turtle ttl
twig
typescript ts mts cts
vala
vbnet vb.net vb
verilog
vhdl
vim viml vimscript
vue html-vue vue-html
wasm wat wast
xml xsd xslt rss svg-xml
xquery
yaml yml
zig
`

const usual = new Map<string, string>()
for (const line of names.trim().split('\n')) {
  const [name = '', ...others] = line.split(' ')
  for (const other of [name, ...others]) usual.set(other, name)
}

/** The usual name of a language, or nothing for a word that names none. */
export const knownLanguage = (word: string): string | undefined => usual.get(word.toLowerCase())
