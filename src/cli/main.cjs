#!/usr/bin/env node
// Every Node must be able to parse this file, which is what reports that one is too old: no later syntax, and no other file first.
start(require('../../package.json').engines.node.replace('>=', ''), process.versions.node);

function start(floor, running) {
  if (isOlder(running.split('.'), floor.split('.'))) {
    process.stderr.write(
      ['tenant-sync needs Node', floor, 'or later, and this is Node', running].join(' ').concat('.\n'),
    );
    process.exitCode = 3;
  } else {
    require('./start.cjs');
  }
}

function isOlder(running, floor) {
  return +running[0] < +floor[0] || (running[0] === floor[0] && +running[1] < +floor[1]);
}
