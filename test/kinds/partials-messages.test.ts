// How each effect of a changed partial is shown: its code, "!" if it is critical, its line and column, its message.
import { describe, expect, test } from 'vitest';
import { inspect } from '../../src/kinds/prompts/describe.ts';
import type { PlanSource } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';

const start: PlanSource = { file: 'start.liquid', line: 1, column: 1 };

/** Without `PARTIAL_`, and without the words about the text and the review. */
async function shown(after: string, before: string | null = null, source: PlanSource | null = start) {
  const partials = (text: string) => ({ login: { start: text } });
  const action = buildAction({
    kind: 'prompts',
    key: 'login',
    action: 'put',
    before: before === null ? null : partials(before),
    after: partials(after),
    sources: source === null ? [] : [{ pointer: '/login/start', source }],
  });
  const effects = (await inspect([action])).get(action.id) ?? [];
  return effects.map(({ code, severity, message, source: at }) => {
    const what = message.replace(/ to login\/start$|(?:: review it by hand)? \(in login\/start\)$/, '');
    return `${code.slice('PARTIAL_'.length)}${severity === 'critical' ? '!' : ''} ${at?.line}:${at?.column} ${what}`;
  });
}

type Row = readonly [text: string, ...expected: readonly string[]];
type ChangedRow = readonly [live: string, text: string, ...expected: readonly string[]];

const on = (column: number | string) => (typeof column === 'number' ? `1:${column}` : column);
const script = (column: number | string) => `SCRIPT ${on(column)} adds an inline script`;
const naming = (origins: string) => `SCRIPT! 1:1 adds an inline script with addresses of ${origins}`;
const handler = (column: number | string) => `EVENT_HANDLER ${on(column)} adds an inline handler onclick on <b>`;
const review = (column: number | string, what: string) => `REVIEW_BY_HAND ${on(column)} has ${what}`;
const open = (column: number | string) =>
  review(column, 'an element, a tag or a comment that does not begin and end in one place of this text');
const hidden = (column: number | string) => review(column, 'markup in a comment, a value or a text');
const divided = (column: number, name = 'p') => review(column, `a tag <${name}> that Liquid divides or makes`);
const address = (column: number, name: string) => review(column, `Liquid in ${name} that may make an address`);
const made = (column: number) => review(column, 'markup or an address in a text of Liquid');
const filtered = (column: number, name: string) => review(column, `the result of the filter ${name}`);
const tagged = (column: number, name: string) => review(column, `the tag {% ${name} %}`);
const field = (column: number, name: string) =>
  `FIELD_PREFIX 1:${column} adds a form field "${name}" whose name does not begin with ulp-`;
const origin = (column: number, host: string, name: string) =>
  `EXTERNAL_ORIGIN 1:${column} adds the origin https://${host} in ${name}`;
const critical = (line: string) => line.replace(' ', '! ');
const broken = (column: number | string, what: string) => `LIQUID_BROKEN ${on(column)} has invalid Liquid: ${what}`;

describe('scripts', () => {
  test.each<Row>([
    [
      '<script>import "https://a.example/x.js"</script>',
      'SCRIPT! 1:1 adds an inline script that imports from https://a.example',
    ],
    [
      '<script type=importmap>{"imports":{"a":"https:\\/\\/a.example","b":"//a.example/b","c":" HTTPS://c.example/"}}</script>',
      'SCRIPT! 1:1 adds an inline script that imports from https://a.example, https://c.example',
    ],
    [
      "<script>imports('http://a.example/x'); x = `//b.example/`; y = '/own'</script>",
      'SCRIPT! 1:1 adds an inline script that imports from http://a.example, https://b.example',
    ],
    [
      '<script>import "\\\\\\\\a.example/x"</script>',
      'SCRIPT! 1:1 adds an inline script that imports from https://a.example',
    ],
    ['<script>simport "//a.example"</script>', naming('https://a.example')],
    ['<script>important("//a.example")</script>', naming('https://a.example')],
    ["<script>fetch('https://new.example/x', { body })</script>", naming('https://new.example')],
    ['<script>fetch(`HTTPS:\\/\\/new.example:8443?a=${b}`)</script>', naming('https://new.example:8443')],
    ['<script>new WebSocket("wss://new.example/s")</script>', naming('wss://new.example')],
    [
      '<script>x.open("POST", "//a.example/"); new Image().src = "http://b.example"</script>',
      naming('https://a.example, http://b.example'),
    ],
    [
      '<script>import "/a.js"; fetch("https://a.example/")</script>',
      'SCRIPT! 1:1 adds an inline script that imports from https://a.example',
    ],
    ["<script>d.createElementNS('http://www.w3.org/2000/svg', 'svg'); fetch('/own')</script>", script(1)],
    ['<script type="application/json">"https://a.example"</script>'],
    [
      '<b onclick="fetch(&quot;//new.example/&quot;)">',
      'EVENT_HANDLER! 1:4 adds an inline handler onclick on <b> with addresses of https://new.example',
    ],
    [
      `<a href="javascript:fetch('//new.example/')">a</a>`,
      'SCRIPT_URL! 1:4 adds a javascript: URL in href with addresses of https://new.example',
    ],
    ['<script> \n</script>'],
    ['<script type="application/ld+json">{}</script><script type=" APPLICATION/JSON ">{}</script>'],
    ['<script type="application/jsonp">x</script>', script(1)],
    ['<script type="xapplication/json">x</script>', script(1)],
    ['<script type="application/xjson">x</script>', script(1)],
    ['<script class="{{ a }}" type="application/json">x</script>', script(1)],
    ['<script src="{{ a }}"></script>', 'SCRIPT! 1:1 adds a script from {…}', address(14, 'src')],
    [
      '<script src="//a.example/{{ a }}/{{ b }}{{ c }}"></script>',
      'SCRIPT! 1:1 adds a script from //a.example/{…}/{…}',
      origin(9, 'a.example', 'src'),
    ],
    [
      '<script src="a.js" href="/b" xlink:href="//c.example/"></script>',
      'SCRIPT! 1:1 adds a script from //c.example/',
      'SCRIPT 1:1 adds a script from a.js',
      'SCRIPT 1:1 adds a script from /b',
      origin(30, 'c.example', 'xlink:href'),
    ],
    [
      '<script src={{ a }}></script>',
      ...['SCRIPT! 1:1 adds a script from {…}', critical(divided(13, 'script')), address(13, 'src')],
    ],
    ['<script data-src="/c" srcx="d" hrefs="e"></script><img src="a">'],
    ['<script src="mailto:a"></script>', 'SCRIPT 1:1 adds a script from mailto:a'],
    ['<script {{ a }} src="/a"></script>', critical(divided(9, 'script')), 'SCRIPT 1:1 adds a script from /a'],
    ['<base {{ a }}>', critical(divided(7, 'base'))],
    ['<base src="a">', 'SCRIPT 1:1 adds the base address a'],
    [`<base href="/${'x'.repeat(99)}">`, `SCRIPT 1:1 adds the base address /${'x'.repeat(99)}`],
    [`<base href="/${'x'.repeat(100)}">`, `SCRIPT 1:1 adds the base address /${'x'.repeat(99)}…`],
    ['<b onclick=a()><script>a()</script></b>\n<b\nonclick=b()>', handler(4), script(16), handler('3:1')],
    ['<b xonclick="a" on="c" onclick="b">', handler(24)],
    [
      '<a href="javascript:a()">a</a><a title="VBScript:b">b</a><a href="data:text/html,a">c</a>',
      'SCRIPT_URL 1:4 adds a javascript: URL in href',
      'SCRIPT_URL 1:34 adds a vbscript: URL in title',
      'SCRIPT_URL 1:61 adds a data: URL in href',
    ],
    ['<iframe srcdoc="a"></iframe>', review(9, 'a document in srcdoc')],
    ['<iframe srcdoc="&lt;base href=//a&gt;"></iframe>', critical(review(9, 'a document in srcdoc'))],
    ['<iframe srcdoc="<img src=//a>"></iframe>', review(9, 'a document in srcdoc'), hidden(17)],
  ])('%s', async (text, ...expected) => {
    expect(await shown(text)).toEqual(expected);
  });
});

describe('fields, forms and addresses', () => {
  test.each<Row>([
    ['<input name="{{ a }}b{{ c }}{{ d }}">', field(8, '{…}b{…}')],
    [
      '<button name="a"></button><select name="b"></select><textarea name="c"></textarea><input name="">',
      ...[field(9, 'a'), field(35, 'b'), field(63, 'c'), field(90, '')],
    ],
    ['<fieldset name="a"></fieldset><xinput name="a"></xinput><inputx name="a"></inputx><input id="b">'],
    [
      '<form action="//a.example/x"><button formaction="http://b.example:8080/x">c</button></form>',
      'FORM_TARGET 1:7 adds a form that is sent to https://a.example',
      'FORM_TARGET 1:38 adds a form that is sent to http://b.example:8080',
    ],
    // Links and pictures are last.
    [
      '<a href="//b/x">b</a><area href="//c"><img src="//d"><input name="e"><link href="//f"><b onclick=g>',
      ...[
        origin(76, 'f', 'href'),
        handler(90),
        origin(4, 'b', 'href'),
        origin(28, 'c', 'href'),
        origin(44, 'd', 'src'),
      ],
      field(61, 'e'),
    ],
    ['<a href="{{ a }}">a</a><form action="{{ b }}"></form>', address(10, 'href'), address(38, 'action')],
    ['<p title="a" style="color: {{ b }}; margin: {{ c }}">a</p>', address(28, 'style')],
    ['<style class="b">a { color: {{ b }} } {{ c }}</style>', address(29, 'style')],
    ['<style class="{{ a }}">b { c: \\64 }</style>', address(15, 'style')],
    ['<style>a { b: \\63 }</style>{{ a }}', address(1, 'style')],
    ['<svg></svg><style>a &amp; b</style>', address(12, 'style')],
    ['<MATH></MATH><style>a &amp; b</style>', address(14, 'style')],
    ['<style>a &amp; b</style>'],
    ['<svg></svg><style>a { b: url(//c) }</style>', origin(12, 'c', 'style')],
    ['<style></style><style>b { c: url(//d) }</style>', origin(16, 'd', 'style')],
  ])('%s', async (text, ...expected) => {
    expect(await shown(text)).toEqual(expected);
  });
});

describe('markup that is hidden, open or made', () => {
  const rawElements = ['script', 'plaintext', 'textarea', 'title', 'style', 'xmp', 'iframe', 'noembed', 'noframes'];
  test.each<Row>([
    ...[...rawElements.slice(1), 'svg', 'math', 'template', 'select', 'noscript'].flatMap((name): Row[] => [
      [`<${name}>x`, open(name.length + 3)],
      [`x</${name}>`, open(2)],
    ]),
    ['<div><noscripts>x</p>'],
    ...rawElements.slice(2).map((name): Row => [`<${name}><b onclick=a></${name}>`, hidden(name.length + 3)]),
    ['<template><b onclick=a></template>', handler(14)],
    ['<textarea/><b onclick=a></textarea>', handler(15)],
    ['<title>&lt;</title><b onclick=a>', handler(23)],
    ['<script>a()', script(1), open(9)],
    ['<script/>a()</script><b onclick=a>', script(1), handler(25)],
    ['<script><!--<script></script></script>--><b onclick=a>', script(1), hidden(13), handler(45)],
    ['<script>a</script>b</script>', script(1), open(20)],
    ['<script>a</script><script>b</script>', script(1), script(19)],
    ['a\0<b onclick=c><!doctype html>', handler(6)],
    ...['a<!-- b', 'a<?b', 'a<!--', 'a<!{{ a }}', 'a</{{ a }}', 'a<!a-{{ a }}', 'a<?{{ a }}'].map(
      (text): Row => [text, open(2)],
    ),
    ['a<!-- b -->c<!-- d --!>e<!f>g<?h>i<!-->j<'],
    ['a<b c', hidden(2), open(6)],
    ['a<b c="d>', hidden(2), open(10)],
    ['</b c', open(6)],
    ['<!-- <b> --><!-- < b --><!-- <B> <i> -->', hidden(6), hidden(30)],
    ['<p title="<b>" id="<i>"><!-- u -->', hidden(11)],
    ['x <b <i>y', hidden(6)],
    ['<textarea><b></textarea><textarea><i></textarea>', hidden(11), hidden(35)],
    ['<svg><p title="<b>"></svg>', hidden(16)],
    ['<p title="<script src=//a>">', critical(hidden(11))],
    ['<!-- <a href=//a> -->', hidden(6)],
    ['<script>x = "<b>"</script>', script(1)],
    ['<script>x = "<script src=//a>"</script>', critical(hidden(14)), script(1)],
    ['<script>x = "<base href=//a>"</script>', critical(hidden(14)), script(1)],
    ['<script>x = "<i> <SCRIPT>"</script>', script(1), hidden(14)],
    ['<script> </script><textarea><i></textarea>', hidden(29)],
    ['<script type="application/json">"<b>"</script>', hidden(34)],
    ['a<{{ a }}>', review(2, 'Liquid that may make a tag or a comment')],
    ['a{{ a }}<p title="</B9{{ a }}">', review(19, 'Liquid that may make a tag or a comment')],
    ['a{{ a }}<p title="<!b-{{ a }}">', review(19, 'Liquid that may make a tag or a comment')],
    ['< {{ a }} <p title="</ {{ a }}">'],
    ['{% if a %}<div>{% endif %}'],
    ['{% if a %}<svg>{% endif %}', open(16)],
    ['<svg>{% if a %}</svg>{% endif %}', open(6)],
    ['{% if a %}<!--{% endif %}b-->', open(11)],
    ['{% for a in b %}<svg>{% endfor %}</svg>', open(22)],
    ['{% if a %}<textarea>{% else %}</textarea>{% endif %}', open(21)],
    ['<p title="{% if a %}">b</p>{% endif %}', open(1), divided(11)],
    ['<p title="b{% endif %}">', open(1), divided(12), broken(12, 'tag "endif" not found')],
    ['\ue000<b onclick=a></b><\ue000>', handler(5)],
  ])('%s', async (text, ...expected) => {
    expect(await shown(text)).toEqual(expected);
  });

  test.each<Row>([
    ['<p {{ a }}>b</p>', divided(4)],
    ['<p {{- a -}} >b</p>', divided(4)],
    ['<p class={{ a }}>b</p>', divided(10)],
    ['<p class=a"{{ b }}">', divided(12)],
    ['<p class="{{ a }}">{{ b }}</p>'],
    ['<p class = \'{{ a }}\' id\n=\n"{{ b }}" lang\t=\t"{{ c }}" dir\f=\f"{{ d }}">e</p>'],
    ['<p =x="{{ b }}">', address(8, '=x')],
    ['<p class="{{ a }}" {{ b }}>b</p>', divided(11)],
    ['<p class="a{{ b }}" {% if c %}id="d"{% endif %}>', divided(12)],
    ['<p a{{ b }}="c">d', divided(5)],
    ['<p class="a" {{ b }}="c">', divided(14)],
    ['<p title="a" {% comment %}b{% endcomment %}>', divided(14)],
    ['<p title="{% comment %}<{{ a | json }}{% endcomment %}">'],
    ...['&', '&#', '&#x', '&A', '&am'].map((text): Row => [`<p class="${text}{{ a }};">`, divided(text.length + 11)]),
    ['<p class="& {{ a }}" id="{{ b }}&amp;" title="&a-{{ c }}">'],
    ['<p class="{% if a %}b{% else %}c{% endif %}">d</p>'],
    ['<p class="{% if a %}b" id="c{% endif %}">d</p>', divided(11)],
    ['<p class="{{ a | escape }}" id="{{ b | json }}">', divided(11), filtered(33, 'json')],
    ['<p class="b">{{ a | json }}</p>', filtered(14, 'json')],
    ['{{ a | json }}<p class="b">c</p>', filtered(1, 'json')],
    ['<b {{ a }}="//c">', origin(4, 'c', ''), divided(4, 'b')],
    ['<b x={{ a }}>', address(6, 'x')],
  ])('a tag with Liquid: %s', async (text, ...expected) => {
    expect(await shown(text)).toEqual(expected);
  });
});

describe('Liquid', () => {
  const doubtful =
    'break,continue,capture a %}{% endcapture,render a,include a,layout a,block a %}{% endblock,liquid echo a,raw %}{% endraw'.split(
      ',',
    );
  test.each<Row>([
    ['{% assign a = b %}{% echo a %}{% cycle a, b %}{% increment a %}{% decrement a %}{% # a %}'],
    ['{% if a %}{% elsif b %}{% else %}{% endif %}{% unless a %}{% endunless %}{% for a in b %}{% endfor %}'],
    ['{% case a %}{% when b %}{% endcase %}{% comment %}{% endcomment %}'],
    ...[...doubtful, 'xif', 'notif', 'ifend', 'endb'].map(
      (tag): Row => [`{% ${tag} %}`, tagged(1, tag.replace(/ .*/, ''))],
    ),
    ['{% tablerow a in b %}{% endtablerow %}', review(1, 'quotes and markup of {% tablerow %}')],
    ['{% assign a = "<" %}{% render b %}', tagged(1, 'assign')],
    ['{{ a -}}   <script>a()</script>', script(12)],
    ['a   {{- b }} <script>a()</script>', script(14)],
    ['  {%- if a -%}  <script>a()</script>  {%- endif -%}  <b onclick=a>', script(17), handler(57)],
    ['{% comment %}x{% endcomment %}<script>a()</script>', script(31)],
    ['{%comment%}{%comments%}{%rawx%}{{ "<" | json }}raw{%endcomment%}{%comment%}{%- a -%}<i{%-endcomment-%}'],
    ['{% comment %}{%- comment %}{% endcomment %}', tagged(1, 'endcomment')],
    ['{%comment%}{%comment%}{%endcomment%}', tagged(1, 'endcomment')],
    // What is not valid
    ['{{ x ', broken(1, 'output "{{ x " not closed')],
    ['a\n\n {% x ', broken('3:2', 'tag "{% x " not closed')],
    ['{% if %}', broken(6, 'invalid value expression: ""')],
    ['a\n\n {% if a %}b', broken('3:2', 'tag {% if a %} not closed')],
    ['a{% endif %}', broken(2, 'tag "endif" not found')],
    ['a{% else %}', broken(2, 'tag "else" not found')],
    ['{% for a %}{% endfor %}', broken(1, 'illegal tag: {% for a %}')],
    ['{% assign %}', broken(10, 'expected variable name')],
    ['{% if a %}b{% endfor %}', broken(12, 'tag "endfor" not found')],
    ['{% comment %}<script>a()</script>', broken(1, 'tag {% comment %} not closed')],
    ['{% raw %}<script>a()</script>', script(10), broken(10, 'raw "{% raw %}<script>a()</script>" not closed')],
    ['{%comment%}{%-raw%}{%endcomment%}', broken(20, 'raw "{%-raw%}{%endcomment%}" not closed')],
  ])('%s', async (text, ...expected) => {
    expect(await shown(text)).toEqual(expected);
  });

  test('that is nested too deeply is so at its start, wherever the stack ends', async () => {
    expect(await shown(`a{{ ${'['.repeat(19_000)} }}`)).toEqual([broken(1, 'it is nested too deeply')]);
  });

  const schemes = ['javascript:', 'vbscript:', 'data:', 'http:', 'https:', 'ws:', 'wss:', 'ftp:', 'JavaScript:'];
  test.each<Row>([
    ...['<', '>', '&', "'", 'a\\u', '//', 'a<b', ...schemes].map(
      (text): Row => [`{{ a | append: "${text}" }}`, made(1)],
    ),
    [`{{ '"' }}{% if '<' == "a" %}{% endif %}`, made(1), made(10)],
    ["{{ 'a' | append: \"b\" | append: '<' }}", made(1)],
    ['{{ "x" }}{{ "" }}{{ "/" }}{{ "a/b" }}{{ "xhttp:" }}{{ \'http\' }}'],
    ...['json', 'jsonify', 'inspect', 'newline_to_br'].flatMap((name): Row[] => [
      [`{{ a|upcase | ${name} }}`, filtered(1, name)],
      [`{{ a | ${name} | escape: b }}`, filtered(1, name)],
      [`{% echo a | ${name} | escape %}`, filtered(1, name)],
      [`{{ a | escape | ${name} }}`, filtered(1, name)],
      ...['escape', 'xml_escape -', 'url_encode', 'cgi_escape'].map((last): Row => [`{{ a |${name}|  ${last}}}`]),
      ...['escape_once', 'upcase', 'strip_html'].map((last): Row => [`{{ a | ${name} | ${last} }}`, filtered(1, name)]),
    ]),
    ...['base64_decode', 'url_decode', 'unknown', 'Json', 'a-b', '_a', 'constructor'].flatMap((name): Row[] => [
      [`{{ a | upcase | ${name} }}`, filtered(1, name)],
      [`{{ a | ${name} | escape }}`, filtered(1, name)],
    ]),
    ['{{ a | upcase }}{{ a | escape_once }}{{ a | base64_encode }}{{ json }}'],
  ])('what an output makes: %s', async (text, ...expected) => {
    expect(await shown(text)).toEqual(expected);
  });
});

describe('what a change brings', () => {
  const s = '<script>a()</script>';
  const elsewhere = (column: number, what = 'an inline script', code = 'SCRIPT') =>
    `${code} 1:${column} has ${what} in another context than now`;
  const elsewhereFrom = (column: number, name: string) =>
    elsewhere(column, `the origin https://a in ${name}`, 'EXTERNAL_ORIGIN');

  test.each<ChangedRow>([
    // What scripts name is no origin from which one may be loaded
    [
      '<script>fetch("//a.example/1")</script>',
      '<script>fetch("//a.example/2")</script>',
      'SCRIPT 1:1 adds an inline script with addresses of https://a.example',
    ],
    [
      '<script>fetch("//a.example")</script>',
      '<script src="//a.example/x.js"></script>',
      'SCRIPT! 1:1 adds a script from //a.example/x.js',
      origin(9, 'a.example', 'src'),
    ],
    [
      '<script src="//a.example/x.js"></script>',
      '<script src="//a.example/x.js"></script><script>fetch("//a.example")</script>',
      'SCRIPT 1:41 adds an inline script with addresses of https://a.example',
    ],
    // What decides whether it is active
    [`<!--${s}-->${s}`, s],
    [s, `${s}${s}`],
    ...['template', 'noscript', 'svg', 'select'].map(
      (name): ChangedRow => [`<${name}>${s}</${name}>`, `<p>${s}</p>`, elsewhere(4)],
    ),
    [`<template>{{ '<' }}</template>`, `<p>{{ '<' }}</p>`, made(4)],
    [`<p>${s}</p>`, `<p> ${s}</p>`],
    [`<template><p></p></template>${s}`, `<template>${s}</template>`, elsewhere(11)],
    [`<template></template>${s}`, `${s}<template></template>`],
    [`{% if a %}{% elsif c %}${s}{% endif %}`, `{% if a %}{% elsif b %}${s}{% endif %}`, elsewhere(24)],
    [`{% if c %}{% elsif b %}${s}{% endif %}`, `{% if a %}{% elsif b %}${s}{% endif %}`, elsewhere(24)],
    [`{% if b %}x{% endif %}${s}`, `{% if a %}x{% endif %}${s}`],
    [`{% if a %}{% if c %}{% endif %}${s}{% endif %}`, `{% if a %}{% if b %}{% endif %}${s}{% endif %}`],
    [`{% if c %}{% if b %}${s}{% endif %}{% endif %}`, `{% if a %}{% if b %}${s}{% endif %}{% endif %}`, elsewhere(21)],
    [`{% if a %}${s}{% endif %}`, `{% unless a %}${s}{% endunless %}`, elsewhere(15)],
    [`{% case a %}{% when c %}${s}{% endcase %}`, `{% case a %}{% when b %}${s}{% endcase %}`, elsewhere(25)],
    [`{% for a in c %}${s}{% endfor %}`, `{% for a in b %}${s}{% endfor %}`, elsewhere(17)],
    [`{% if a %}${s}{% endif %}`, `{% if a %}{% else %}${s}{% endif %}`, elsewhere(21)],
    [`<svg>${s}</title></svg>`, `<svg>${s}</textarea></svg>`, open(6)],
    [`</title>${s}`, `</textarea>${s}`, open(1), elsewhere(12)],
    [`{% assign a = c %}${s}`, `{% assign a = b %}${s}`, elsewhere(19)],
    [`{% increment b %}${s}`, `{% increment a %}${s}`, elsewhere(18)],
    [`{% decrement b %}${s}`, `{% decrement a %}${s}`, elsewhere(18)],
    [`{% cycle a, c %}${s}`, `{% cycle a, b %}${s}`, elsewhere(17)],
    [`{% echo b %}${s}`, `{% echo a %}${s}`],
    [`{% if a %}${s}{% if b %}`, `{% if a %}${s}`, broken(1, 'tag {% if a %} not closed'), elsewhere(11)],
    [`{% include 'a' %}${s}`, `{% render 'a' %}${s}`, tagged(1, 'render'), elsewhere(17)],
    ['<!-- <input name="a"> -->', '<input name="a">', field(8, 'a')],
    [`{% xassign b %}${s}`, `{% xassign a %}${s}`, tagged(1, 'xassign')],
    [`{% assignx b %}${s}`, `{% assignx a %}${s}`, tagged(1, 'assignx')],
    // How it is used
    ['<style>@import "//a"</style>', '<style>@IMPORT "//a"</style>'],
    ['<style>b{c:url(//a)}</style>', '<style>@import "//a"</style>', elsewhereFrom(1, 'style')],
    ['<style>b{d:url(//a)}</style>', '<style>b{c:url(//a)}</style>'],
    ['<style>b{c:url(//a)}</style>', '<style media="a">b{c:url(//a)}</style>', elsewhereFrom(1, 'style')],
    ['<style>b{c:{{ e }}}</style>', '<style>b{c:{{ d }}}</style>', address(12, 'style')],
    ['<img class="c" src="//a/d">', '<img src="//a/b">'],
    ['<area class="c" href="//a/d">', '<area href="//a/b">'],
    ['<link class="c" href="//a/d">', '<link href="//a/b">', elsewhereFrom(7, 'href')],
    ['<a href="//a">', '<img src="//a">', origin(6, 'a', 'src')],
    ['<a href="//a">', '<a ping="//a">', origin(4, 'a', 'ping')],
    [
      '<a href="javascript:c">',
      '<a class="b" href="javascript:c">',
      elsewhere(14, 'a javascript: URL in href', 'SCRIPT_URL'),
    ],
    ['<a href="{{ c }}">', '<a class="b" href="{{ c }}">'],
    ['<link href="{{ c }}">', '<link class="b" href="{{ c }}">', address(23, 'href')],
    [
      '<script src="//a/b"></script>',
      '<script src="//a/b" async></script>',
      elsewhere(1, 'a script from //a/b'),
      elsewhereFrom(9, 'src'),
    ],
    ['<base href="/b">', '<base href="/b" class="c">', elsewhere(1, 'the base address /b')],
    ['<iframe srcdoc="a"></iframe>', '<iframe srcdoc="a" b></iframe>', review(9, 'a document in srcdoc')],
    ['<script>a</script>', '<script b>a</script>', elsewhere(1)],
    ['<script>a</script>', '<script>b</script>', script(1)],
    [
      '<b\r\nonclick=a></b>',
      '<b onclick=a></b>\r\n',
      elsewhere(4, 'an inline handler onclick on <b>', 'EVENT_HANDLER'),
    ],
    [
      '<form action="//a/b">d</form>',
      '<form action="//a/b">c</form>',
      elsewhere(7, 'a form that is sent to https://a', 'FORM_TARGET'),
    ],
    ['<script>a</script>c</script>', '<script>a</script>b</script>', open(20)],
    // Reviews
    ['a<b d', 'a<b c', hidden(2), open(6)],
    ['<i>y</i>a<b c', '<i>x</i>a<b c', open(14)],
    ['<p title="<b>">', '<!-- <b> -->', hidden(6)],
    ['<!-- <b> -->', '<!-- <b> -->a'],
    ['<svg></svg><!-- <b> -->', '<svg></svg><!-- <b> -->a', hidden(17)],
    ['<math></math><!-- <b> -->', '<math></math><!-- <b> -->a', hidden(19)],
    ['<b {{ a }}>d</b>', '<b {{ a }}>c</b>'],
    ['<b {{ a }}>', '<b {{ a }} c>', divided(4, 'b')],
    ["{{ '<' }}b", "{{ '<' }}a"],
    ["{{ '<' }}", "{{ '<' }}{{ '<a' }}", made(10)],
    ['{% if a %}c', '{% if a %}b', broken(1, 'tag {% if a %} not closed')],
    ["{% render 'a' %}a", "{% render 'b' %}a", tagged(1, 'render')],
    ["b{% render 'a' %}", 'abc', review(1, 'no longer the tag {% render %}')],
    ["{% render 'a' %}", '<svg>', open(6)],
    ["a\n{% render 'a' %}", "a\r\n{% render 'a' %}"],
    // Origins of scripts
    [
      '<script src="//a/a"></script>',
      '<script src="//a/b"></script>',
      'SCRIPT 1:1 adds a script from //a/b',
      elsewhereFrom(9, 'src'),
    ],
    [
      '<script>import "//a"</script>',
      '<script src="//a"></script>',
      'SCRIPT 1:1 adds a script from //a',
      origin(9, 'a', 'src'),
    ],
    [
      '<script src="//a"></script>',
      '<script>import "//a"; import "//b"</script>',
      'SCRIPT! 1:1 adds an inline script that imports from https://a, https://b',
    ],
    [
      '<iframe srcdoc="<script src=//a></script>"></iframe>',
      '<script src="//a"></script>',
      'SCRIPT! 1:1 adds a script from //a',
      origin(9, 'a', 'src'),
    ],
    [
      '<script src="{{ a }}/c"></script>',
      '<script src="{{ a }}/b"></script>',
      'SCRIPT! 1:1 adds a script from {…}/b',
      address(14, 'src'),
    ],
  ])('%s becomes %s', async (live, text, ...expected) => {
    expect(await shown(text, live)).toEqual(expected);
  });

  test.each<Row>([
    [`${s}${s}`, script(1)],
    ['<b onclick=a></b><b onclick=a ></b>', handler(4)],
    [`{{ '<' }}{{ '>' }}`, made(1), made(10)],
    [`<a href="{{ '<' }}">b</a>`, address(10, 'href')],
    ['<p x="{{ a }}" style="{{ b | json }}">c</p>', address(7, 'x'), address(23, 'style')],
    ['\r\n\r\n<b onclick=a></b>', handler('3:4')],
    [`a\rb${s}`, script('2:2')],
  ])('once at its place: %s', async (text, ...expected) => {
    expect(await shown(text)).toEqual(expected);
  });
});

test.each<readonly [string, PlanSource | null, string]>([
  ['of a file', start, '2:5'],
  ['in a line of another text', { ...start, column: 2 }, '1:2'],
  ['below another text', { ...start, line: 2 }, '2:1'],
  ['that is not known', null, 'undefined:undefined'],
])('the place %s', async (_name, source, at) => {
  expect(await shown('\n <b onclick=a>', null, source)).toEqual([handler(at)]);
});

test.each<readonly [number, number | null, boolean]>([
  [20_000, null, true],
  [20_001, null, false],
  [1, 20_000, true],
  [1, 20_001, false],
])('a text of %d characters, and a live one of %s', async (length, live, isInspected) => {
  const notInspected = 'NOT_INSPECTED 1:1 has a text that is too long to be inspected: login/start';
  const text = '<'.repeat(length);
  expect(await shown(text, live === null ? null : 'a'.repeat(live))).toEqual(isInspected ? [] : [notInspected]);
});
