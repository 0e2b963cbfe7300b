// What a changed partial brings that the live text does not have.
import { describe, expect, test } from 'vitest';
import { inspect } from '../../src/kinds/prompts/describe.ts';
import type { Effect } from '../../src/model/plan.generated.ts';
import { buildAction } from '../support/build-action.ts';
import { startProcessorTime } from '../support/processor-time.ts';
import { sized, thorough } from '../support/thorough.ts';

const place = { screen: 'login', point: 'form-content-start' };
const own = { file: 'partials/start.liquid', line: 1, column: 1 };

function put(after: string, before: string | null = null, source = own) {
  const partials = (text: string) => ({ [place.screen]: { [place.point]: text } });
  return buildAction({
    kind: 'prompts',
    key: 'login',
    action: 'put',
    before: before === null ? null : partials(before),
    after: partials(after),
    sources: [{ pointer: '/login/form-content-start', source }],
  });
}

async function effects(after: string, before: string | null = null, source = own): Promise<readonly Effect[]> {
  const action = put(after, before, source);
  return (await inspect([action])).get(action.id) ?? [];
}

const codes = async (after: string, before: string | null = null) =>
  [...new Set((await effects(after, before)).map(({ code }) => code))].sort();

describe('dangerous texts', () => {
  test.each<readonly [string, readonly string[]]>([
    // Scripts
    ['<script>steal()</script>', ['PARTIAL_SCRIPT']],
    ['<SCRIPT\n>steal()</SCRIPT\n>', ['PARTIAL_SCRIPT']],
    ['<script src="https://evil.example/x.js"></script>', ['PARTIAL_EXTERNAL_ORIGIN', 'PARTIAL_SCRIPT']],
    ['<script src="/own.js"></script>', ['PARTIAL_SCRIPT']],
    ['<script type="module">x</script>', ['PARTIAL_SCRIPT']],
    ['<script type="application/json">{"a":1}</script>', []],
    [
      '<svg><script href="https://evil.example/x.js"/></svg>',
      ['PARTIAL_EXTERNAL_ORIGIN', 'PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    ['<iframe srcdoc="&lt;script&gt;steal()&lt;/script&gt;"></iframe>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<svg><style><img src=x onerror=steal()></style></svg>', ['PARTIAL_REVIEW_BY_HAND']],
    // Handlers
    ['<img src=x onerror=steal()>', ['PARTIAL_EVENT_HANDLER']],
    ['<body/onload=steal()>', ['PARTIAL_EVENT_HANDLER']],
    ['<button OnClick="steal()">a</button>', ['PARTIAL_EVENT_HANDLER']],
    ['<input name="ulp-a" oninput=steal()>', ['PARTIAL_EVENT_HANDLER']],
    // URLs that run
    ['<a href="javascript:steal()">a</a>', ['PARTIAL_SCRIPT_URL']],
    ['<a href=" java\nscript:steal()">a</a>', ['PARTIAL_SCRIPT_URL']],
    ['<a href="&#106;avascript:steal()">a</a>', ['PARTIAL_SCRIPT_URL']],
    ['<a href="\u0001JaVaScRiPt:steal()">a</a>', ['PARTIAL_SCRIPT_URL']],
    ['<iframe src="data:text/html,<script>x</script>"></iframe>', ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT_URL']],
    ['<svg><animate attributeName="href" values="javascript:steal()"/></svg>', ['PARTIAL_SCRIPT_URL']],
    ['<svg><animate attributeName="href" values="#;javascript&#9;:steal()"/></svg>', ['PARTIAL_SCRIPT_URL']],
    ['<svg><animate attributeName="href" values="java&#10;script:steal()"/></svg>', ['PARTIAL_SCRIPT_URL']],
    ['<a href="vbscript:x">a</a>', ['PARTIAL_SCRIPT_URL']],
    // Origins
    ['<a href="https://a.example/terms">a</a>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<a href="//a.example/terms">a</a>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<a href="\\\\a.example">a</a>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<img srcset="/a.png 1x, https://a.example/b.png 2x">', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<link rel="stylesheet" href="https://a.example/a.css">', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<base href="https://a.example/">', ['PARTIAL_EXTERNAL_ORIGIN', 'PARTIAL_SCRIPT']],
    ['<base href="/other/">', ['PARTIAL_SCRIPT']],
    ['<base target="_blank">', []],
    ['<meta http-equiv="refresh" content="0; url=https://a.example/">', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<p style="background: url(https://a.example/p.png)">a</p>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<style>@import "//a.example/a.css";</style>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<style>a { background: \\75rl(https\\3a //a.example/) }</style>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="intent:x">a</a>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<a href="mailto:a@a.example">a</a><a href="tel:+1">b</a><img src="data:image/png;base64,AA">', []],
    ['<a href="/terms">a</a><a href="#x">b</a><a href="?x=https://a.example/">c</a>', []],
    // Forms
    ['<form action="https://evil.example/"></form>', ['PARTIAL_FORM_TARGET']],
    ['<button formaction="//evil.example/">a</button>', ['PARTIAL_FORM_TARGET']],
    ['<form action="/u/login"></form>', []],
    ['<input name="password">', ['PARTIAL_FIELD_PREFIX']],
    ['<select name="state"></select><textarea name="x"></textarea>', ['PARTIAL_FIELD_PREFIX']],
    ['<input name="ulp-terms" type="checkbox"><button>Send</button><input>', []],
    // Elements that are not closed: those that change how the page after them is read
    ['<div><p>a</div><div><b>a</div>a</form>', []],
    ...[
      '<textarea name="ulp-a">',
      '<template>',
      '<svg>',
      '<style>',
      '<plaintext>',
      '<!-- a',
      '<p title="',
      '<![CDATA[',
      '</textarea>',
    ].map((text) => [`a${text}`, ['PARTIAL_REVIEW_BY_HAND']] as const),
    ['<ul><li>a<li>b</ul><img><br/><svg><path/></svg><table><tr><td>a</table>', []],
    ['<textarea><div></textarea><title><b></title><!-- <div> -->', ['PARTIAL_REVIEW_BY_HAND']],
    // Liquid
    ['{% if x %}a', ['PARTIAL_LIQUID_BROKEN']],
    ['{{ x ', ['PARTIAL_LIQUID_BROKEN']],
    ['{% endif %}', ['PARTIAL_LIQUID_BROKEN']],
    ['{% unknown_tag %}{{ x | unknown_filter }}{% endunknown_tag %}', ['PARTIAL_REVIEW_BY_HAND']],
    ['{% raw %}{{ x {% endraw %}', ['PARTIAL_REVIEW_BY_HAND']],
    ['{% comment %}<script>x</script><div>{% endcomment %}', []],
    ['{% raw %}<script>x</script>{% endraw %}', ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT']],
    ['{% if a %}<b>x</b>{% else %}<i>y</i>{% endif %}', []],
    ['{% if a %}<b>{% else %}<b class="c">{% endif %}x</b>', []],
    ['{% case a %}{% when 1 %}<b>{% when 2 %}<b>{% else %}<b>{% endcase %}x</b>', []],
    ['{% if a %}<b>{% endif %}x{% if a %}</b>{% endif %}', []],
    ['{% if a %}<b>x{% endif %}y', []],
    // Liquid that hides markup
    ['<{% if a %}script{% endif %}>steal()</script>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<scr{% if a %}{% endif %}ipt>steal()</script>', ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT']],
    [
      '<script{% if a %} async{% endif %}>steal()</script><img src=x onerror=y>',
      ['PARTIAL_EVENT_HANDLER', 'PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    ['<img src=x {% if a %}onerror=steal(){% endif %}>', ['PARTIAL_EVENT_HANDLER', 'PARTIAL_REVIEW_BY_HAND']],
    ['<img src=x {{ a }}onerror=steal()>', ['PARTIAL_EVENT_HANDLER', 'PARTIAL_REVIEW_BY_HAND']],
    ['<img src=x on{{ a }}=steal()>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a {% if x %}href="/a"{% else %}href="javascript:steal()"{% endif %}>a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="java{% if x %}script:steal(){% endif %}">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="{% if x %}/a{% else %}https://evil.example/{% endif %}">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="{{ url }}">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="https://{{ host }}/a">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="https://a.example/{{ path }}">a</a>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<a href="/{{ path }}">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="/a/{{ path }}">a</a>', []],
    ["{{ '<script>steal()</script>' }}", ['PARTIAL_REVIEW_BY_HAND']],
    ["{% assign a = 'javascript:x' %}", ['PARTIAL_REVIEW_BY_HAND']],
    ['{% if x %}<!--{% endif %}<script>steal()</script>{% if x %}-->{% endif %}', ['PARTIAL_REVIEW_BY_HAND']],
    // Other readings than that of a parser alone
    ['<img title=\u00a0" onerror=steal() x=">', ['PARTIAL_REVIEW_BY_HAND']],
    ['<img title=\v" onerror=steal() x=">', ['PARTIAL_REVIEW_BY_HAND']],
    ['<svg><script><![CDATA[steal()]]></script></svg>', ['PARTIAL_SCRIPT']],
    ['<svg><style><![CDATA[@import "https://evil.example/x.css"]]></style></svg>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<svg><style>@import "&#104;ttps://evil.example/x.css"</style></svg>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<noscript><p title="</noscript><img src=x onerror=steal()>"></p></noscript>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<noscript><textarea></noscript><img src=x onerror=steal()></textarea>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<noscript><img src=x onerror=steal()></noscript>', ['PARTIAL_EVENT_HANDLER']],
    [
      '<svg><foreignObject><style><img title="</style><img src=x onerror=steal()>"></style></foreignObject></svg>',
      ['PARTIAL_EVENT_HANDLER', 'PARTIAL_REVIEW_BY_HAND'],
    ],
    [
      '<svg><desc><textarea><a title="</textarea><img src=x onerror=steal()>"></a></textarea></desc></svg>',
      ['PARTIAL_EVENT_HANDLER', 'PARTIAL_REVIEW_BY_HAND'],
    ],
    [
      '<svg><title><style><img title="</style><img src=x onerror=steal()>"></style></title></svg>',
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    [
      '<svg><p><style><img title="</style><img src=x onerror=steal()>"></style></p></svg>',
      ['PARTIAL_EVENT_HANDLER', 'PARTIAL_REVIEW_BY_HAND'],
    ],
    ['<svg><style><style></style>@import "https://evil.example/x.css"</style></svg>', ['PARTIAL_REVIEW_BY_HAND']],
    [
      '<svg><script/><img src=x onerror=steal()></svg>',
      ['PARTIAL_EVENT_HANDLER', 'PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    ['<select><xmp><script>steal()</script></xmp></select>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<textarea><img src=x onerror=steal()></textarea>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<!-- <img src=x onerror=steal()> -->', ['PARTIAL_REVIEW_BY_HAND']],
    ['<img src=x onerror=steal() ', ['PARTIAL_REVIEW_BY_HAND']],
    ['<meta http-equiv=refresh content="0 https://evil.example/">', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<meta http-equiv=" Refresh" content="0,https://evil.example/">', ['PARTIAL_EXTERNAL_ORIGIN']],
    [
      '<meta http-equiv={{ a }} content="0.5;URL = //evil.example">',
      ['PARTIAL_EXTERNAL_ORIGIN', 'PARTIAL_REVIEW_BY_HAND'],
    ],
    ['<meta http-equiv="{{ a }}" content="0.5;URL = //evil.example">', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<svg><image><set attributeName="href" to="https://evil.example/x"/></image></svg>', ['PARTIAL_EXTERNAL_ORIGIN']],
    [
      '<svg><image><animate attributeName="href" values="/a;//evil.example/x"/></image></svg>',
      ['PARTIAL_EXTERNAL_ORIGIN'],
    ],
    [
      '<svg><image><animate attributeName="href" from="//evil.example/x" by="/"/></image></svg>',
      ['PARTIAL_EXTERNAL_ORIGIN'],
    ],
    ['<svg><rect fill="url(https://evil.example/x#a)"/></svg>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<p style="background: url(\\9//evil.example/x)">a</p>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<p style="background: url(http:evil.example/x)">a</p>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<p style="background: url({{ a }})">a</p>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<x-player address="https://evil.example/">a</x-player>', ['PARTIAL_EXTERNAL_ORIGIN']],
    [
      '{% comment %}{% comment %}{% endcomment %}<script>steal()</script>',
      ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    [
      '{% comment %}{% raw %}{% endcomment %}<script>steal()</script>{% endraw %}{% endcomment %}',
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    [
      '{% if false %}<textarea>{% endif %}<script>steal()</script>{% if false %}</textarea>{% endif %}',
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    [
      '{% if false %}<style>{% endif %}<img src=x onerror=steal()>{% if false %}</style>{% endif %}',
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    ['{% if false %}<plaintext>{% endif %}<script>steal()</script>', ['PARTIAL_REVIEW_BY_HAND']],
    [
      '{% if false %}<a title="{% endif %}<script>steal()</script>{% if false %}"></a>{% endif %}',
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    ['<img {% if false %}title="{% endif %} onerror=steal() {% if false %}"{% endif %}>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<img title={% if a %}"{% endif %} x=" onerror=steal() y=">', ['PARTIAL_REVIEW_BY_HAND']],
    ['<img {% if false %}a={% endif %}onerror=steal()>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<img o{% if false %}x{% endif %}nerror=steal()>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<img on{% echo a %}=steal()>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<img {% if a %} src=/a {% endif %} src="https://evil.example/">', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="/{% if false %}a{% endif %}/evil.example">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    [
      '<script {% if false %}type="application/json"{% endif %}>steal()</script>',
      ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    [
      '<script {% if false %} type="application/json" {% endif %} type="module">steal()</script>',
      ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    ['<script type="application/json{{ x }}">steal()</script>', ['PARTIAL_SCRIPT']],
    ['< {{- a -}} script>steal()</script>', ['PARTIAL_REVIEW_BY_HAND']],
    ['{{ "PHNjcmlwdD4" | base64_decode }}', ['PARTIAL_REVIEW_BY_HAND']],
    ['{{ "%3Cscript%3E" | url_decode }}', ['PARTIAL_REVIEW_BY_HAND']],
    ['{% capture a %}{{ "%3C" | url_decode }}{% endcapture %}{{ a }}script>', ['PARTIAL_REVIEW_BY_HAND']],
    ['{% capture a %}x< {% endcapture %}{{ a | slice: 1 }}script>', ['PARTIAL_REVIEW_BY_HAND']],
    ['{{ "a" | newline_to_br | slice: 0 }}script>', ['PARTIAL_REVIEW_BY_HAND']],
    [`{% render 'other' %}`, ['PARTIAL_REVIEW_BY_HAND']],
    ['<iframe srcdoc="{{ a }}"></iframe>', ['PARTIAL_REVIEW_BY_HAND']],
    // Liquid that ends a value
    ['{% assign z = "x onerror=steal()" %}<img src=x alt={{ z }}>', ['PARTIAL_REVIEW_BY_HAND']],
    [
      '{% assign z = "a type=text/javascript" %}<script class={{ z }} type="application/json">steal()</script>',
      ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    [`<img src=x alt="{{ 'x' | json }} onerror=steal() ">`, ['PARTIAL_REVIEW_BY_HAND']],
    [`<img src=x alt="{{ 'x' | inspect }} onerror=steal() ">`, ['PARTIAL_REVIEW_BY_HAND']],
    [`{% assign q = x | json %}<img src=x alt="{{ q }} onerror=steal() ">`, ['PARTIAL_REVIEW_BY_HAND']],
    [
      '{% capture q %}{{ x | json }}{% endcapture %}<img src=x alt="{{ q }} onerror=steal() ">',
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    ['<img alt="{% tablerow i in (1..1) %}{% endtablerow %} onerror=steal() ">', ['PARTIAL_REVIEW_BY_HAND']],
    ['{% liquid\n render a\n%}', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="&#{{ a }};avascript:steal()">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a href="&#{% if a %}106{% endif %};avascript:steal()">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    // Other ways to a script, an origin or a form
    ['<script>import "https://evil.example/x.js"</script>', ['PARTIAL_SCRIPT']],
    ['<script type=importmap>{"imports":{"a":"https:\\/\\/evil.example"}}</script>', ['PARTIAL_SCRIPT']],
    ['<a href="HTTPS://evil.example">a</a>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<a href="HTTP:evil.example">a</a>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<a href="ht\ntps://evil.example">a</a>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<a href="https&colon;//evil.example">a</a>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<object data="//evil.example/x"></object><embed src="//evil.example/x">', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<math><maction xlink:href="javascript:x">a</maction></math>', ['PARTIAL_SCRIPT_URL']],
    ['<button form="x" formaction="{{ a }}">a</button>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<form action="{% if a %}/b{% else %}//evil.example{% endif %}"></form>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<form a="b" {% if a %}action="//evil.example"{% endif %}>', ['PARTIAL_FORM_TARGET', 'PARTIAL_REVIEW_BY_HAND']],
    ['<a href="data:text/{{ a }},b">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    ['{{ "\\u003cscript\\u003e" }}', ['PARTIAL_REVIEW_BY_HAND']],
    [`{% assign a = 'x' | append: '//evil.example' %}`, ['PARTIAL_REVIEW_BY_HAND']],
    ['<svg><p><script type="application/json"><b onclick=go()></b></script></p></svg>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<script type="application/json">"<img src=x onerror=steal()>"</script>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a x="1" x={{ a }}>a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<a x=y="{{ a }} b">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    [
      '<a {%- if b %} \ue000href="/"{% endif %} {%- if a %} href="//evil.example"{% endif %}>',
      ['PARTIAL_EXTERNAL_ORIGIN', 'PARTIAL_REVIEW_BY_HAND'],
    ],
    ['{% raw %}{%- endraw %}{% endraw %}', ['PARTIAL_REVIEW_BY_HAND']],
    // Liquid in styles
    ['<p style="{{ a }}{{ b }}">a</p>', ['PARTIAL_REVIEW_BY_HAND']],
    [`<p style="{{ 'background:ur' }}l({{ 'http:' }}{{'/'}}/{{ a }}/x)">a</p>`, ['PARTIAL_REVIEW_BY_HAND']],
    ['<style>@imp{{ a }}</style>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<svg><rect mask="{{ a }}{{ b }}"/></svg>', ['PARTIAL_REVIEW_BY_HAND']],
    // Addresses in CSS
    ['<p style="background: url(http:/evil.example/x)">a</p>', ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<p style="background: url(http:\\/evil.example/x)">a</p>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<style>@import "http:\\5c evil.example/x";</style>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<style>@import "data:text/css,%40import%20%22http%3a//evil.example%22";</style>', ['PARTIAL_SCRIPT_URL']],
    ['<svg><rect mask="u\\72l(//evil.example/x)"/></svg>', ['PARTIAL_REVIEW_BY_HAND']],
    [`<svg><rect mask="image-set('//evil.example/x' 1x)"/></svg>`, ['PARTIAL_EXTERNAL_ORIGIN']],
    ['<svg><rect cursor="u\\72l(//evil.example/x),auto"/></svg>', ['PARTIAL_REVIEW_BY_HAND']],
    // Names of fields that branches make
    ['<input name="{% if false %}ulp-{% endif %}password" type="password">', ['PARTIAL_FIELD_PREFIX']],
    ['<input name="{{ a }}ulp-b">', ['PARTIAL_FIELD_PREFIX']],
    ['<input name="ulp-{% if a %}b{% else %}c{% endif %}">', []],
    ['<input name="{% if a %}ulp-b{% else %}ulp-c{% endif %}">', ['PARTIAL_FIELD_PREFIX']],
    // Ordinary texts
    ['<div class="a {% if x %}b{% endif %}"{% if y %} hidden{% endif %}>{{ text }}</div>', ['PARTIAL_REVIEW_BY_HAND']],
    ['<input name="ulp-a" value="{{ a | escape }}" placeholder="{{ b }}" lang="{{ c }}" maxlength="{{ d }}">', []],
    ['<p data-user="{{ user | json | escape }}" aria-label="{{ a }}">{{ a | newline_to_br | escape }}</p>', []],
    ['{{ a | newline_to_br }}', ['PARTIAL_REVIEW_BY_HAND']],
    ['{{ a | json }}', ['PARTIAL_REVIEW_BY_HAND']],
    ['<label for="ulp-{{ a }}" style="color: red; background: url(/a.png)">a &amp; b&nbsp;{{ c }}</label>', []],
    ['<a href="/a?b=1&c={{ d }}" target="_blank" rel="noopener">a</a>', []],
    ['<svg viewBox="0 0 9 9" fill="none"><path d="M1 2 3 4" stroke="#fff"/></svg>', []],
    ['<table>{% tablerow a in b %}{{ a }}{% endtablerow %}</table>', ['PARTIAL_REVIEW_BY_HAND']],
  ])('%s', async (text, expected) => {
    expect(await codes(text)).toEqual(expected);
  });
});

test('only what the change introduces', async () => {
  const live =
    '<script src="https://cdn.example/a.js"></script><div><img onerror=a()>{% if x %}<a href="javascript:b()">c</a>{% endif %}';
  expect(await codes(`<p>New</p>${live}`, live)).toEqual([]);
  expect(await codes(live.replace('a()', 'b()'), live)).toEqual(['PARTIAL_EVENT_HANDLER']);
  expect(await codes(live.replace('a.js', 'b.js'), live)).toEqual(['PARTIAL_EXTERNAL_ORIGIN', 'PARTIAL_SCRIPT']);
  expect(await codes(live.replaceAll('\n', '\r\n'), live)).toEqual([]);
  expect(await codes('', live)).toEqual([]);
});

describe('what is live and becomes active', () => {
  const script = '<script>steal()</script>';
  const handler = '<img src=x onerror=steal()>';
  test.each<readonly [string, string, readonly string[]]>([
    [`<!-- ${script} -->`, script, ['PARTIAL_SCRIPT']],
    ['<a href="javascript:x()" hidden>a</a>', '<a href="javascript:x()" autofocus>a</a>', ['PARTIAL_SCRIPT_URL']],
    [`{% if false %}${script}{% endif %}`, script, ['PARTIAL_SCRIPT']],
    [`{% if false %}${script}{% endif %}`, `{% if true %}${script}{% endif %}`, ['PARTIAL_SCRIPT']],
    [`{% if true %}{% else %}${script}{% endif %}`, `{% if true %}${script}{% else %}{% endif %}`, ['PARTIAL_SCRIPT']],
    [
      `{% assign a = 0 %}{% if a == 1 %}${script}{% endif %}`,
      `{% assign a = 1 %}{% if a == 1 %}${script}{% endif %}`,
      ['PARTIAL_SCRIPT'],
    ],
    [
      `{% for a in b %}{% break %}${script}{% endfor %}`,
      `{% for a in b %}${script}{% endfor %}`,
      ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    [`{% break %}${script}`, script, ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT']],
    [`{% layout x %}${script}`, script, ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT']],
    [
      `{% capture a %}${script}{% endcapture %}`,
      `{% capture a %}${script}{% endcapture %}{{ a }}`,
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    ["{% assign a = '<b>' %}", "{% assign a = '<b>' %}{{ a }}", ['PARTIAL_REVIEW_BY_HAND']],
    ["<!-- {{ '<b>' }} -->", "{{ '<b>' }}", ['PARTIAL_REVIEW_BY_HAND']],
    ['<p title="<b onclick=go()>">a</p>', '<p title="a"><b onclick=go()>a</b></p>', ['PARTIAL_EVENT_HANDLER']],
    [`<textarea name="ulp-a">${handler}</textarea>`, handler, ['PARTIAL_EVENT_HANDLER']],
    [`<noscript>${handler}</noscript>`, handler, ['PARTIAL_EVENT_HANDLER']],
    [`<template>${handler}</template>`, handler, ['PARTIAL_EVENT_HANDLER']],
    [
      `<!-- ${script} -->`,
      `{% if false %}<!--{% endif %}${script}{% if false %}-->{% endif %}`,
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    [
      `<!-- {% if false %}-->{% endif %}${script} -->`,
      `<!-- {% if true %}-->{% endif %}${script} -->`,
      ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    [
      `<!-- {% if false %}-->{% endif %}${script} -->`,
      `<!-- {% if false %}{% endif %}-->${script} -->`,
      ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    [
      `<!-- -{% if false %}{% endif %}-a>${script} -->`,
      `<!-- -{% if a %}{% endif %}->${script} -->`,
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    [
      `<template>{% if false %}</template>{% endif %}${script}</template>`,
      `<template>{% if true %}</template>{% endif %}${script}</template>`,
      ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    [`{% if x %}${script}`, `{% if x %}${script}{% endif %}`, ['PARTIAL_SCRIPT']],
    ['x{% comment %}', `x{% comment %}${script}`, ['PARTIAL_LIQUID_BROKEN']],
    [`<img src=x onerror=steal() `, handler, ['PARTIAL_EVENT_HANDLER', 'PARTIAL_REVIEW_BY_HAND']],
    [
      '<svg><style><a title="</style><b onclick=go()>"></style></svg>',
      '<svg><p><style><a title="</style><b onclick=go()>"></style></p></svg>',
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    ['<xmp><b onclick=go()></xmp>', '<select><xmp><b onclick=go()></xmp></select>', ['PARTIAL_REVIEW_BY_HAND']],
    [
      '<script src="/a"></script>',
      '<script {% if x %}src="/a"{% else %}src="//b.a"{% endif %}></script>',
      ['PARTIAL_REVIEW_BY_HAND', 'PARTIAL_SCRIPT'],
    ],
    // How it is used
    ['<script type="text/plain">steal()</script>', script, ['PARTIAL_SCRIPT']],
    ['<img alt=x onerror=steal()>', handler, ['PARTIAL_EVENT_HANDLER']],
    ['<input onfocus=go()>', '<input onfocus=go() autofocus>', ['PARTIAL_EVENT_HANDLER']],
    ['<input name="user" form="none">', '<input name="user">', ['PARTIAL_FIELD_PREFIX']],
    ['<input name="user" type="hidden">', '<input name="user" type="password">', ['PARTIAL_FIELD_PREFIX']],
    [
      '<meta name="twitter:url" content="https://a.example/">',
      '<meta http-equiv="refresh" content="https://a.example/">',
      ['PARTIAL_EXTERNAL_ORIGIN'],
    ],
    [
      '<meta name="a" content="{{ a }}">',
      '<meta name="a" http-equiv="{{ b }}" content="{{ a }}">',
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    ...[
      '<button form="none" formaction="https://a.example/">a</button>',
      '<input form="none" type="submit" formaction="https://a.example/">',
      '<form id="a" action="https://a.example/"></form><input form="none" name="ulp-b">',
      '<form id="none" action="https://a.example/"></form><input form="login" name="ulp-b">',
      '<form action="https://a.example/"></form>{% if a %}<input form="login" name="ulp-b">{% endif %}',
    ].flatMap((live) => [
      [live, live.replace('none', 'login').replace('if a', 'if b'), ['PARTIAL_FORM_TARGET']] as const,
      [live, live.replace(/ form="[a-z]+"/, ''), ['PARTIAL_FORM_TARGET']] as const,
    ]),
    ['<a href="{{ a }}">a</a>', '<a href="{{ b }}">a</a>', ['PARTIAL_REVIEW_BY_HAND']],
    [
      '{% assign a = "a.example" %}<a href="https://{{ a }}/">a</a>',
      '{% assign a = "b.example" %}<a href="https://{{ a }}/">a</a>',
      ['PARTIAL_REVIEW_BY_HAND'],
    ],
    ['<p title="{{ a }}<b>">a</p>', '<iframe srcdoc="{{ a }}<b>"></iframe>', ['PARTIAL_REVIEW_BY_HAND']],
    ...[
      '<iframe src="https://cdn.example/x"></iframe>',
      '<object data="https://cdn.example/x"></object>',
      '<link rel="stylesheet" href="https://cdn.example/x">',
      '<style>@import "https://cdn.example/x";</style>',
    ].map((use) => ['<a href="https://cdn.example">a</a>', use, ['PARTIAL_EXTERNAL_ORIGIN']] as const),
    [
      '<link rel="icon" href="https://cdn.example/x">',
      '<link rel="stylesheet" href="https://cdn.example/x">',
      ['PARTIAL_EXTERNAL_ORIGIN'],
    ],
    [
      '<style>a{background:url(https://cdn.example/x)}</style>',
      '<style>@import "https://cdn.example/x";</style>',
      ['PARTIAL_EXTERNAL_ORIGIN'],
    ],
  ])('%s becomes %s', async (live, text, expected) => {
    expect(await codes(text, live)).toEqual(expected);
    if (!/REVIEW|BROKEN/.test(expected.join())) expect(await codes(text, text)).toEqual([]);
  });

  test('an output in a style is named as what it is', async () => {
    const [effect] = await effects('<p style="color: {{ a }}">b</p>');
    expect(effect?.message).toBe(
      'has Liquid in style that may make an address: review it by hand (in login/form-content-start)',
    );
  });

  test('the message names the other context', async () => {
    const [effect] = await effects(script, `{% if false %}${script}{% endif %}`);
    expect(effect?.message).toBe('has an inline script in another context than now (in login/form-content-start)');
  });

  test('other text, elements, blocks and attributes around it are no effect', async () => {
    const live =
      '<a href="https://a.example/x">a</a>{% if x %}<img src="https://b.example/y" alt="b">{% else %}c{% endif %}' +
      `${script}<style>a { background: url(https://c.example/z) }</style><!-- {{ a }} -->`;
    const text =
      '<!-- new {{ b }} --><div class="new"><h2>{% if y %}<i>{{ c }}</i>{% endif %}</h2>' +
      live
        .replace('href="', 'class="d" target="_blank" href="')
        .replace('alt="b"', 'alt="new"')
        .replace('y"', 'other"')
        .replace('c{%', '<b>{{ d }}</b>{%') +
      '</div>{% unless z %}<textarea name="ulp-e">{{ e }}</textarea>{% endunless %}';
    expect(await effects(text, live)).toEqual([]);
  });
});

test('what Liquid makes is one warning at its place', async () => {
  const text = `<p>\n<a class="b" {% if x %}href="{{ '<' }}"{% endif %}>a</a> {{ '>' }}`;
  expect(await effects(text)).toMatchObject([
    { code: 'PARTIAL_REVIEW_BY_HAND', severity: 'warning', source: { line: 2, column: 14 } },
    { code: 'PARTIAL_REVIEW_BY_HAND', source: { line: 2, column: 30 } },
    { code: 'PARTIAL_REVIEW_BY_HAND', source: { line: 2, column: 58 } },
  ]);
});

test('doubt about a complete text is one warning of each change of it', async () => {
  const live = '<script>x</script>{% render "a" %}';
  expect(await effects(`<p>New</p>${live}`, live)).toMatchObject([
    {
      code: 'PARTIAL_REVIEW_BY_HAND',
      message: 'has the tag {% render %}: review it by hand (in login/form-content-start)',
      source: { line: 1, column: 29 },
    },
  ]);
  expect(await effects('<script>x</script>', live)).toMatchObject([
    { message: 'has no longer the tag {% render %}: review it by hand (in login/form-content-start)' },
    { message: 'has an inline script in another context than now (in login/form-content-start)' },
  ]);
});

test.each([
  '<script src="https://evil.example/x.js"></script>',
  '<script>import "https://evil.example/x.js"</script>',
  '<script {% if a %}src="/a"{% else %}src="//evil.example/x.js"{% endif %}></script>',
  '<script src="{{ a }}"></script>',
  '<script {% render "a" %} src="/a"></script>',
  '<script {{ a }} src={{ b }}></script>',
  '<!-- <script src=//evil.example/x.js></script> -->',
  '<iframe srcdoc="<script src=//evil.example/x.js></script>"></iframe>',
  '<svg><script href="//evil.example/x.js"/></svg>',
  '<base href="https://evil.example/"><script src="/own.js"></script>',
  '<base href="{{ a }}">',
  '<base {{ a }}>',
  '<!-- <base href=//evil.example/> -->',
  // An inline script with the same text is another one.
  '<script>src="//evil.example/x.js"</script><script src="//evil.example/x.js"></script>',
  '<script type="x">href="//evil.example/"</script><base href="//evil.example/">',
])('a script that may be from a new origin is critical: %s', async (text) => {
  expect((await effects(text)).map(({ severity }) => severity)).toContain('critical');
  expect((await effects(`${text} `, text)).map(({ severity }) => severity)).not.toContain('critical');
});

test('a script that SVG may hide is critical, and each change is a review, because the elements around it decide', async () => {
  const live =
    '<svg><desc><textarea><a title="</textarea><script src=//a.example/x.js></script>"></a></textarea></desc></svg>';
  expect((await effects(live)).map(({ severity }) => severity)).toContain('critical');
  const [first] = await effects(`${live} `, live);
  expect(first).toMatchObject({ code: 'PARTIAL_REVIEW_BY_HAND', severity: 'warning' });
});

test('an origin of a hidden script is a new one where the script is active', async () => {
  const script = '<script src="https://evil.example/x.js"></script>';
  const found = await effects(script, `<!-- ${script} -->`);
  expect(found.find(({ code }) => code === 'PARTIAL_SCRIPT')).toMatchObject({ severity: 'critical' });
});

test('an effect of an own file has its line and column', async () => {
  const [script, field] = await effects(
    '<p>\n  é {% if x %}<script>x</script>{% endif %}\n{{ y }}<input name="a"></p>',
  );
  expect(script).toEqual({
    code: 'PARTIAL_SCRIPT',
    severity: 'warning',
    message: 'adds an inline script to login/form-content-start',
    kind: 'prompts',
    key: 'login',
    source: { file: 'partials/start.liquid', line: 2, column: 15 },
  });
  expect(field).toMatchObject({ code: 'PARTIAL_FIELD_PREFIX', source: { line: 3, column: 15 } });
});

test('a text in a YAML file has the place of the text', async () => {
  const source = { file: 'prompts.yaml', line: 7, column: 9 };
  expect(await effects('a\n<script>x</script>', null, source)).toMatchObject([{ source }]);
});

test('without a change, or for a text that goes, nothing is inspected', async () => {
  expect((await inspect([put('<script>x</script>', '<script>x</script>')])).size).toBe(0);
  const gone = buildAction({
    kind: 'prompts',
    key: 'login',
    action: 'put',
    before: { login: { a: '<script>' } },
    after: {},
  });
  expect((await inspect([gone])).size).toBe(0);
});

describe('bounds', () => {
  const times = (count: number, textOf: (index: number) => string) =>
    Array.from({ length: count }, (_empty, index) => textOf(index)).join('');

  test('effects are counted by code beyond the two hundredth', async () => {
    const many = await effects(
      `${times(180, (index) => `<img src="//i${index}.a">`)}${times(40, (index) => `<input name="f${index}">`)}`,
    );
    expect(many).toHaveLength(201);
    expect(many.at(-1)).toMatchObject({
      code: 'PARTIAL_MORE',
      message: 'has 20 more effects that are not listed: 20 PARTIAL_FIELD_PREFIX',
    });
  });

  test.each([
    ['PARTIAL_EXTERNAL_ORIGIN', '<meta http-equiv="refresh" content="0;url=https://evil.example/">'],
    ['PARTIAL_EXTERNAL_ORIGIN', '<iframe src="https://evil.example/"></iframe>'],
    ['PARTIAL_EXTERNAL_ORIGIN', '<style>@import "https://evil.example/";</style>'],
    ['PARTIAL_FORM_TARGET', '<form action="https://evil.example/"></form>'],
    ['PARTIAL_SCRIPT', '<script>evil.example</script>'],
    ['PARTIAL_REVIEW_BY_HAND', '<iframe src="{{ a }}"></iframe>'],
    ['PARTIAL_LIQUID_BROKEN', '{% if a %}'],
  ])('however many links and pictures are before it, %s is not cut: %s', async (code, text) => {
    const harmless = times(90, (n) => `<img src="//i${n}.a"><a href="//l${n}.a" style="background:url(//b${n}.a)">`);
    const [first, ...others] = await effects(`${harmless}<input name="a">${text}`);
    expect(first?.code).toBe(code);
    expect(first?.message).toMatch(/evil|Liquid|an inline script/);
    expect(others.at(-1)?.message).toBe(
      'has 72 more effects that are not listed: 71 PARTIAL_EXTERNAL_ORIGIN, 1 PARTIAL_FIELD_PREFIX',
    );
  });

  test('a text that is not inspected is not cut', async () => {
    const action = put('');
    const after = { login: { a: times(250, (index) => `<b onclick="a${index}()">`), b: 'a'.repeat(30_000) } };
    const [first] = (await inspect([{ ...action, after }])).get(action.id) ?? [];
    expect(first?.code).toBe('PARTIAL_NOT_INSPECTED');
  });

  test('a critical one is named after however many others, up to 200, and the first line counts the rest', async () => {
    const scripts = (count: number) => times(count, (index) => `<script src=//s${index}.a></script>`);
    const critical = async (text: string) => (await effects(text)).filter(({ severity }) => severity === 'critical');
    const named = await critical(`${'<input name="f">'.repeat(60)}${scripts(100)}`);
    const messages = named.map(({ message }) => message).join('\n');
    for (let index = 0; index < 100; index += 1) expect(messages).toContain(`//s${index}.a`);
    const [first, ...others] = await critical(scripts(300));
    expect(first).toMatchObject({ code: 'PARTIAL_MORE', message: expect.stringMatching(/: 100 PARTIAL_SCRIPT, /) });
    expect(others).toHaveLength(200);
  });

  test.each([
    ['of 5 MB', 'a<b>'.repeat(1_250_000)],
    ['that is live, of 5 MB', '<script>x</script>'],
  ])('a text %s is not inspected', async (name, text) => {
    const spent = startProcessorTime();
    const live = name.startsWith('that is live') ? '<'.repeat(5_000_000) : null;
    expect(await effects(text, live)).toMatchObject([{ code: 'PARTIAL_NOT_INSPECTED', severity: 'warning' }]);
    expect(spent()).toBeLessThan(1000);
  });

  const size = 20_000;
  const filled = (unit: string) => unit.repeat(Math.floor(size / unit.length));
  test.each([
    ['open elements', filled('<b>')],
    ['open and stray elements', filled('<b></i>')],
    ['stray ends', filled('</b>')],
    ['attributes', `<a ${filled('a ').slice(0, size - 10)}>`],
    [
      'different attributes',
      `<a ${Array.from({ length: 3000 }, (_empty, index) => `a${index}`)
        .join(' ')
        .slice(0, size - 10)}>`,
    ],
    ['attributes with Liquid', `<a ${filled('{%a%}b=c ').slice(0, size - 10)}>`],
    ['nested blocks', filled('{%if a%}')],
    ['closed nested blocks', '{%if a%}'.repeat(1000) + '{%endif%}'.repeat(1000)],
    ['blocks over open elements', '<b>'.repeat(3000) + '{%if a%}{%else%}{%endif%}'.repeat(400)],
    ['blocks that open and close', '<b>'.repeat(2500) + '{%if a%}</b>{%else%}</b>{%endif%}'.repeat(360)],
    ['unclosed outputs', filled('{{')],
    ['unclosed tags', filled('{%')],
    ['quotes', `{{ ${filled('"').slice(0, size - 10)} }}`],
    ['quotes in many outputs', filled("{{'<'}}")],
    ['filters', `{{ a ${filled('| b').slice(0, size - 10)} }}`],
    ['raw without an end', filled('{%raw%}')],
    ['comments', filled('<!--{{a}}')],
    ['nested documents', `<iframe srcdoc="${filled('&lt;iframe srcdoc=').slice(0, size - 30)}">`],
    ['styles', `<style>${filled('//').slice(0, size - 20)}`],
    ['long schemes in styles', `<style>${filled('aaaaaaaa').slice(0, size - 20)}://a`],
    ['sets of sources', `<img srcset="${filled('//a,').slice(0, size - 20)}">`],
    ['Liquid in a value', `<a href="${filled('{%a%}b').slice(0, size - 20)}">`],
    ['tags in tags', filled('<a ')],
    ['tags in values', `<a title="${filled('<a b="').slice(0, size - 20)}`],
    ['styles in styles', filled('<style>//a')],
    ['scripts with ends in comments', filled('<script><!--</script>')],
    ['captures in captures', '{%capture a%}<'.repeat(700) + '{%endcapture%}'.repeat(700)],
    ['branches of addresses', filled('<a href="{%a%}b{%a%}b{%a%}b{%a%}b{%a%}b">')],
    ['branches in a style', `<style>${filled('{%a%}//b').slice(0, size - 20)}`],
    ['slashes of addresses', `<p style="${filled('aaaaaaa:').slice(0, size - 20)}">`],
    ['dynamic names', filled('<{{a}}')],
    ['scripts', filled('<script>')],
    ['entities', filled('&amp;')],
    ['open templates', filled('<svg><template>')],
    ['assigned texts', `{%if a%}${filled("{%assign a='<'%}<b onx>").slice(0, size - 40)}`],
    ['NUL', filled('\0')],
    ['characters for private use', filled('<\ue000')],
    ['lone surrogates', filled('\ud800')],
  ])('hostile: %s', async (_name, text) => {
    expect(text.length).toBeLessThanOrEqual(size + 10);
    const cut = text.slice(0, size);
    const spent = startProcessorTime();
    const found = await effects(cut, cut.slice(1));
    expect(found.length).toBeLessThanOrEqual(201);
    expect(spent()).toBeLessThan(3000);
  });

  test.each([
    ['filters', (size: number) => `{{ x ${'|a'.repeat((size - 10) / 2)} }}`],
    ['handlers', (size: number) => `<a ${'onx '.repeat((size - 10) / 4)}>`],
    ['hidden tags', (size: number) => `<!-- ${'<b '.repeat(size / 3 - 5)}-->`],
  ])(`${sized(200)} texts of the longest size: %s`, async (_name, textOf) => {
    const actions = Array.from({ length: sized(200) }, (_empty, index) => ({
      ...put(textOf(10_000)),
      id: `prompts/p${index}`,
      key: `p${index}`,
    }));
    const spent = startProcessorTime();
    const found = await inspect(actions);
    expect(found.size).toBe(sized(200));
    expect(spent()).toBeLessThan(thorough ? 5_000 : 1_500);
  });

  test.each([
    [20_000, 0],
    [5_000, 15_000],
  ])('the texts of a plan share a limit: %d characters and %d live ones', async (length, live) => {
    const text = 'a'.repeat(length);
    const actions = Array.from({ length: 120 }, (_empty, index) => ({
      ...put(text, 'b'.repeat(live)),
      id: `prompts/p${index}`,
      key: `p${index}`,
    }));
    const found = await inspect(actions);
    const skipped = [...found.values()].flat().filter(({ code }) => code === 'PARTIAL_NOT_INSPECTED');
    expect(skipped).toHaveLength(20);
  });
});
