/// How the report looks; colours follow the reader's system.
enum PageStyle {
  static let text = """
    :root{color-scheme:light dark;--page:#f5f5f7;--card:#fff;--ink:#1c1c1f;--soft:#66666e;
    --rule:#e4e4e9;--band:#eeeef2;--warn:#fff4d6;--warnink:#6b4b00;--bad:#c62f2f;--good:#1b7f4b;
    --c1:#1f8f74;--c2:#2a6fdb;--c3:#8a4fd0;--c4:#c2551a;--c5:#b0307c;--c6:#57606a}
    @media (prefers-color-scheme:dark){:root{--page:#101013;--card:#1a1a1f;--ink:#ececf0;
    --soft:#9c9ca6;--rule:#2e2e36;--band:#24242b;--warn:#3a2f12;--warnink:#f3d58a;--bad:#ff7a70;
    --good:#5fd39a;--c1:#4fc9a8;--c2:#6ea8ff;--c3:#bb8cf5;--c4:#f2935c;--c5:#f07ac0;--c6:#a5adb8}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--page);color:var(--ink);
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
    -webkit-text-size-adjust:100%}
    main{max-width:1120px;margin:0 auto;padding:32px 20px 48px}
    h1{font-size:26px;line-height:1.25;margin:0;letter-spacing:-.01em}
    h2{font-size:16px;margin:0}
    .sub{color:var(--soft);margin:4px 0 20px;overflow-wrap:anywhere}
    .about{color:var(--soft);font-size:13px;margin:2px 0 8px}
    .card{background:var(--card);border:1px solid var(--rule);border-radius:12px;
    padding:16px 18px;margin:0 0 16px}
    .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;
    margin:0 0 16px}
    .tile{background:var(--card);border:1px solid var(--rule);border-radius:12px;
    padding:12px 14px;min-width:0}
    .tile b{display:block;font-size:22px;line-height:1.3;font-weight:650;letter-spacing:-.01em;
    font-variant-numeric:tabular-nums;white-space:nowrap}
    .tile span{color:var(--soft);font-size:13px;display:block}
    .tile .bad{color:var(--bad)}.tile .good{color:var(--good)}
    .note{background:var(--warn);color:var(--warnink);border-radius:12px;padding:10px 14px;
    margin:0 0 16px}
    .note p{margin:2px 0}
    .legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 16px;padding:0;margin:0 0 6px;
    font-size:13px}
    .swatch{display:inline-block;width:16px;height:0;margin-right:6px;vertical-align:middle;
    border-top:3px solid currentColor;border-radius:2px}
    .swatch.dash{width:15px;height:3px;border:0;border-radius:0;
    background:repeating-linear-gradient(90deg,currentColor 0 3px,transparent 3px 6px)}
    .swatch.band{height:11px;border:0;background:var(--band);outline:1px solid var(--rule)}
    .swatch.mark{width:0;height:0;border:5px solid transparent;border-top:0;
    border-bottom:9px solid var(--bad);border-radius:0}
    svg{display:block;width:100%;height:auto;overflow:visible}
    .narrow{display:none}
    .tick{fill:var(--soft);font-size:12px;font-variant-numeric:tabular-nums}
    .bandlabel{fill:var(--soft);font-size:11px}
    .grid{stroke:var(--rule);fill:none}.axis{stroke:var(--soft);fill:none;stroke-opacity:.6}
    .band{fill:var(--band)}.mark{fill:var(--bad)}
    .line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round;
    stroke-linecap:round}
    .line.dash{stroke-dasharray:1 5}
    .area{fill:currentColor;fill-opacity:.12;stroke:none}.dot{fill:currentColor}
    .hint{fill:transparent}.hint:hover{fill:var(--ink);fill-opacity:.06}
    .c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}.c4{color:var(--c4)}
    .c5{color:var(--c5)}.c6{color:var(--c6)}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums;
    margin-top:8px}
    th,td{padding:6px 10px;text-align:right;border-bottom:1px solid var(--rule);
    white-space:nowrap}
    th{font-weight:600}thead th{color:var(--soft);font-weight:500;font-size:13px}
    th:first-child{text-align:left;padding-left:0}tbody tr:last-child>*{border-bottom:0}
    .facts th{font-weight:500;color:var(--soft);width:34%;vertical-align:top}
    .facts td{text-align:left;white-space:normal;overflow-wrap:anywhere}
    .facts:not(.pair) thead{display:none}.pair thead th{text-align:left}.pair td{width:33%}
    .words th,.words td{text-align:left;white-space:normal;vertical-align:top}
    .words tbody th:first-child{white-space:nowrap;color:var(--good)}
    .words tbody tr.missed th:first-child{color:var(--bad)}
    footer{color:var(--soft);font-size:13px}
    @media (max-width:640px){main{padding:20px 12px 32px}h1{font-size:21px}
    .wide{display:none}.narrow{display:block}.card{padding:14px 12px}
    .tiles{grid-template-columns:1fr 1fr;gap:8px}.tile b{font-size:19px}
    .tile{padding:10px 12px}table{font-size:13px}th,td{padding:6px 7px}}
    """
}
