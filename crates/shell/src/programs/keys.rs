//! Programs about keys, certificates and encryption.

use super::keys_checks::{
    certificate_files, digested_files, gpg, key_material, keytool, output, ssh_add, ssh_keygen,
};
use super::table::{Operands, Spec, Style};
use crate::effects::Effects;

const READS: Effects = Effects::READS;

const WRITES: Effects = Effects::WRITES;

const SECRETS: Effects = Effects::SECRETS;

const DIGESTS: &str = "-sha1 -sha224 -sha256 -sha384 -sha512 -sha512-224 -sha512-256 -sha3-224 -sha3-256 -sha3-384 \
    -sha3-512 -shake128 -shake256 -md4 -md5 -sm3 -rmd160 -ripemd160 -blake2b512 -blake2s256 \
    -whirlpool -in= -out=write \
    -c -r -hex -binary -list -xoflen= -d -debug -hmac= -mac= -macopt= -keyform= -passin= \
    -sign=read!secrets -verify= \
    -prverify=read!secrets -signature= -sigopt= -writerand=write -rand=read -engine=!executes \
    -provider=!executes \
    -provider-path=!executes";

const CIPHERS: &str = "-e -d -a -A -base64 -in=read -out=write -k= -kfile=read!secrets -K= -iv= -S= -pass= -md= -salt -nosalt \
    -nopad -pbkdf2 -iter= -p -P -v -none -debug -list -ciphers -bufsize= -z -aes-128-cbc \
    -aes-192-cbc -aes-256-cbc -aes-128-ecb \
    -aes-256-ecb -aes-128-ctr -aes-256-ctr -aes-256-gcm -aes128 -aes192 -aes256 -des3 -des-ede3-cbc \
    -chacha20 -writerand=write -rand=read \
    -engine=!executes -provider=!executes -provider-path=!executes";

const OPENSSL: &[Spec] = &[
    Spec::new("version", READS).style(Style::SingleDash).options("-a -v -b -o -f -p -d -e -m -r -c -w"),
    Spec::new("help list errstr info", READS)
        .style(Style::SingleDash)
        .options(
            "-1 -commands -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms \
                -public-key-algorithms \
             -public-key-methods -disabled -providers -engines -verbose -all-algorithms -kdf-algorithms \
             -standard-commands -configdir -enginesdir -modulesdir -dsoext -dirnamesep -listsep -seeds \
             -cpusettings",
        )
        .operands(Operands::Text),
    Spec::new("ciphers", READS)
        .style(Style::SingleDash)
        .options("-v -V -s -stdname -tls1 -tls1_1 -tls1_2 -tls1_3 -psk -srp -convert= -ciphersuites=")
        .operands(Operands::Text),
    Spec::new("prime", READS).style(Style::SingleDash).options("-hex -generate -bits= -safe -checks=").operands(Operands::Text),
    Spec::new("speed", READS).style(Style::SingleDash).options("-evp= -multi= -seconds= -bytes= -elapsed").operands(Operands::Text),
    Spec::new("x509", READS)
        .style(Style::SingleDash)
        .options(
            "-in= -passin= -x509toreq -req -inform= -vfyopt= -key=!secrets -signkey=!secrets -keyform= \
                -out=write \
             -outform= -nocert -noout -text -dateopt= -certopt= -fingerprint -alias -serial -startdate \
             -enddate -dates \
             -subject -issuer -nameopt= -email -hash -subject_hash -subject_hash_old -issuer_hash \
             -issuer_hash_old -ext= \
             -ocspid -ocsp_uri -purpose -pubkey -modulus -checkend= -checkhost= -checkemail= -checkip= \
             -set_serial= \
             -next_serial -days= -preserve_dates -subj= -clrext -extfile= -extensions= -sigopt= -sha1 \
             -sha256 -sha384 \
             -sha512 -md5 -CA= -CAform= -CAkey=!secrets -CAkeyform= -CAserial=write -CAcreateserial!writes \
             -trustout \
             -setalias= -clrtrust -addtrust= -clrreject -addreject= -new -copy_extensions= -force_pubkey= -C \
             -writerand=write -rand= -engine=!executes -provider=!executes -provider-path=!executes",
        )
        .check(certificate_files),
    Spec::new("req", READS)
        .style(Style::SingleDash)
        .options(
            "-in= -inform= -text -noout -subject -pubkey -modulus -verify -verbose -nameopt= -reqopt= \
                -multivalue-rdn -utf8 \
             -batch -new!writes -newkey=!writes -x509!writes -x509v1!writes -keyout=write -out=write \
             -outform= -key=!secrets \
             -keyform= -keygen_engine=!executes -passin= -passout= -nodes -noenc -subj= -days= -set_serial= \
             -addext= \
             -extensions= -reqexts= -section= -sha1 -sha256 -sha384 -sha512 -md5 -newhdr -sigopt= -pkeyopt= \
             -CA= \
             -CAkey=!secrets -config=read!executes -writerand=write -engine=!executes -provider=!executes \
             -provider-path=!executes",
        )
        .check(certificate_files),
    Spec::new("crl pkcs7 verify nseq", READS)
        .style(Style::SingleDash)
        .options(
            "-in= -inform= -text -noout -issuer -lastupdate -nextupdate -hash -fingerprint -crlnumber \
                -verify -nameopt= \
             -dateopt= -CAfile= -CApath= -CAstore= -no-CAfile -no-CApath -no-CAstore -untrusted= -trusted= \
             -CRLfile= \
             -crl_check -crl_check_all -crl_download -show_chain -verbose -purpose= -partial_chain \
             -verify_depth= \
             -verify_hostname= -verify_email= -verify_ip= -verify_name= -attime= -no_check_time -x509_strict \
             -ignore_critical -policy= -policy_check -policy_print -auth_level= -check_ss_sig -trusted_first \
             -no_alt_chains -allow_proxy_certs -print_certs -print -sha1 -sha256 -md5 -out=write -outform= \
             -engine=!executes -provider=!executes -provider-path=!executes",
        )
        .operands(Operands::Text)
        .check(certificate_files),
    // What stands on its standard input goes to the other side.
    Spec::new("s_client", Effects::NETWORK_READ)
        .style(Style::SingleDash)
        .options(
            "-connect=url -host=url -port= -bind= -proxy=!network-write -proxy_user= -proxy_pass= \
                -unix=!network-write -4 \
             -6 -cert=read!sends-data -certform= -cert_chain= -build_chain -key=read!secrets!sends-data \
             -keyform= -pass= \
             -verify= -nameopt= -CApath= -CAfile= -CAstore= -no-CAfile -no-CApath -no-CAstore -requestCAfile= \
             -dane_tlsa_domain= -dane_tlsa_rrdata= -name= -reconnect -sess_out=write \
             -sess_in=read!sends-data -crlf -quiet \
             -ign_eof -no_ign_eof -starttls= -xmpphost= -brief -prexit -showcerts -debug -msg -msgfile=write \
             -state \
             -security_debug -trace -keylogfile=write -nocommands -servername= -noservername -tlsextdebug \
             -ignore_unexpected_eof -status -serverinfo= -alpn= -nextprotoneg= -nbio -tls1 -tls1_1 -tls1_2 \
             -tls1_3 -no_ssl3 -no_tls1 \
             -no_tls1_1 -no_tls1_2 -no_tls1_3 -dtls -dtls1 -dtls1_2 -timeout -mtu= -bugs -no_comp -comp \
             -no_ticket \
             -legacy_renegotiation -legacy_server_connect -no_renegotiation -strict -sigalgs= \
             -client_sigalgs= -groups= \
             -curves= -named_curve= -cipher= -ciphersuites= -min_protocol= -max_protocol= -policy= -purpose= \
             -verify_name= -verify_depth= -auth_level= -attime= -verify_hostname= -verify_email= -verify_ip= \
             -x509_strict -crl_check -crl_check_all -crl_download -CRL= -partial_chain -no_check_time \
             -verify_return_error -verify_quiet -verifyCAfile= -chainCAfile= -ct -noct -ctlogfile= \
             -maxfraglen= \
             -early_data=read!sends-data -psk=!sends-data -psk_identity= -writerand=write -engine=!executes \
             -ssl_client_engine=!executes -provider=!executes -provider-path=!executes -fallback_scsv -async \
             -enable_pha",
        )
        .operands(Operands::Url)
        .check(certificate_files),
    Spec::new("s_time", Effects::NETWORK_READ)
        .style(Style::SingleDash)
        .options("-connect=url -www= -new -reuse -time= -verify= -CAfile= -CApath= -cipher= -tls1_2 -tls1_3"),
    Spec::new("s_server ocsp ts cms smime ca fipsinstall rehash srp storeutl spkac sess_id crl2pkcs7 engine \
        cmp", WRITES)
        .style(Style::SingleDash)
        .options("-in=read -out=write -noout -text -port= -accept= -url=url -issuer=read -cert=read -CAfile=read \
            -t")
        .operands(Operands::Text),
    Spec::new("dgst md5 sha1 sha224 sha256 sha384 sha512 sha3-* sm3 md4 rmd160 blake2* shake*", READS)
        .style(Style::SingleDash)
        .options(DIGESTS)
        .operands(Operands::Text)
        .check(digested_files),
    Spec::new("enc base64 aes-* aria-* bf* camellia-* cast* des* rc2* rc4* seed* sm4-*", READS)
        .style(Style::SingleDash)
        .options(CIPHERS),
    Spec::new("asn1parse", READS)
        .style(Style::SingleDash)
        .options("-in=read -inform= -out=write -noout -offset= -length= -strparse= -genstr= -genconf=read -i \
            -dump -dlimit= -oid=read -strictpem -item="),
    Spec::new("passwd", READS)
        .style(Style::SingleDash)
        .options("-1 -5 -6 -apr1 -aixmd5 -crypt -salt= -stdin -quiet -table -reverse -noverify -in=read")
        .operands(Operands::Text),
    Spec::new("rand genrsa gendsa genpkey dhparam dsaparam ecparam rsa dsa ec pkey pkcs8 pkcs12 pkeyparam \
        pkeyutl rsautl kdf mac", READS)
        .style(Style::SingleDash)
        .options(
            "-hex -base64 -out=write -in= -inkey= -inform= -outform= -pubin -pubout -text -text_pub -noout \
                -check -pubcheck \
             -modulus -passin= -passout= -password= -nodes -noenc -traditional -topk8 -nocrypt -v1= -v2= \
             -export -name= \
             -certfile= -caname= -nokeys -nocerts -clcerts -cacerts -info -legacy -chain -CAfile= \
             -algorithm= -pkeyopt= \
             -paramfile= -genparam -genkey -name= -list_curves -param_enc= -conv_form= -param_out -no_seed \
             -aes128 \
             -aes192 -aes256 -aes-256-cbc -des3 -F4 -3 -2 -5 -primes= -verbose -quiet -sign -verify -encrypt \
             -decrypt \
             -derive -peerkey= -sigfile= -certin -rawin -digest= -hexdump -asn1parse -keyopt= -keylen= \
             -macopt= \
             -binary -RSAPublicKey_in -RSAPublicKey_out -writerand=write -rand= -engine=!executes \
             -provider=!executes \
             -provider-path=!executes",
        )
        .operands(Operands::Text)
        .check(key_material),
];

pub(super) const TABLE: &[Spec] = &[
    Spec::new("openssl libressl", Effects::EXECUTES)
        .style(Style::SingleDash)
        .verbs(OPENSSL)
        .examples(&[
            ("openssl version -a", "reads"),
            ("openssl x509 -in cert.pem -noout -text", "reads"),
            ("openssl x509 -in cert.pem -out cert.der", "reads writes"),
            ("openssl x509 -req -in csr.pem -signkey key.pem", "reads secrets"),
            ("openssl x509 -CAcreateserial -in a", "reads writes"),
            ("openssl s_client -connect example.com:443 -servername example.com", "network-read reads"),
            ("openssl s_client -connect example.com:443 < x", "network-read reads sends-data"),
            ("openssl s_client -connect localhost:443", "network-read network-write reads"),
            ("openssl s_client -connect example.com:443 -key k", "network-read reads secrets sends-data"),
            ("openssl req -in a.csr -noout -text", "reads"),
            ("openssl req -newkey rsa:2048 -keyout k -out c", "reads writes"),
            ("openssl verify -CAfile ca.pem cert.pem", "reads"),
            ("openssl dgst -sha256 file", "reads"),
            ("openssl sha256 -out x file", "reads writes"),
            ("openssl dgst -sign k file", "reads secrets"),
            ("openssl enc -d -aes-256-cbc -in a -out b", "reads writes"),
            ("openssl base64 -d", "reads"),
            ("openssl genrsa -out key.pem 2048", "reads writes"),
            ("openssl genrsa 2048", "reads secrets"),
            ("openssl rsa -in k -pubout", "reads"),
            ("openssl pkey -in k -text", "reads secrets"),
            ("openssl rand -hex 32", "reads secrets"),
            ("openssl dgst -engine x f", "reads executes"),
            ("openssl ca -in x", "reads writes"),
            ("openssl", "executes"),
        ]),
    // Whatever it is asked, it makes its folder and key rings where there are none.
    Spec::new("gpg gpg2", READS.and(WRITES))
        .options(
            "-vqaknt -K -i -sbecd!writes -ruNo= --list-keys --list-public-keys --list-key \
                --list-secret-keys --list-signatures \
             --list-sigs --check-signatures --check-sigs --fingerprint --show-keys --verify --verify-files \
             --list-packets --list-config --list-gcrypt-config --card-status --print-md --print-mds \
             --list-trustdb \
             --export-ownertrust --export --export-ssh-key --check-trustdb!writes \
             --locate-keys!network-read!writes --search-keys!network-read \
             --decrypt!secrets --decrypt-files!writes!secrets --export-secret-keys!secrets \
             --export-secret-subkeys!secrets --import!writes --fast-import!writes \
             --recv-keys!network-read!writes \
             --receive-keys!network-read!writes --fetch-keys!network-read!writes \
             --refresh-keys!network-read!writes \
             --send-keys!network-write!sends-data!publishes --sign!writes --clear-sign!writes \
             --clearsign!writes \
             --detach-sign!writes --encrypt!writes --encrypt-files!writes --symmetric!writes --store!writes \
             --dearmor --enarmor --gen-key!writes --generate-key!writes --full-generate-key!writes \
             --full-gen-key!writes \
             --quick-generate-key!writes --quick-gen-key!writes --quick-add-key!writes --quick-add-uid!writes \
             --quick-set-expire!writes --quick-sign-key!writes --sign-key!writes --lsign-key!writes \
             --edit-key!writes \
             --change-passphrase!writes --gen-revoke!secrets --generate-revocation!secrets \
             --delete-keys!deletes!writes \
             --delete-secret-keys!deletes!writes --delete-secret-and-public-keys!deletes!writes \
             --import-ownertrust!writes --update-trustdb!writes --rebuild-keydb-caches!writes \
             --card-edit!writes \
             --edit-card!writes --change-pin!writes --gen-random!secrets --server!executes \
             --verbose --quiet --no-tty --batch --yes --armor --no-armor --dry-run --with-colons \
             --with-fingerprint \
             --with-subkey-fingerprint --with-subkey-fingerprints --with-keygrip --with-secret \
             --with-key-data --with-sig-list \
             --keyid-format= --fixed-list-mode --fast-list-mode --list-options= --verify-options= \
             --no-default-keyring \
             --keyring= --trust-model= --always-trust --no-auto-check-trustdb --status-fd= --no-greeting \
             --keyserver= --recipient= --local-user= --default-key= --passphrase= --passphrase-fd= \
             --pinentry-mode= \
             --passphrase-file=read!secrets --textmode --digest-algo= --cipher-algo= --compress-algo= \
             --no-options \
             --display-charset= --no-permission-warning --show-session-key!secrets \
             --auto-key-retrieve!network-read!writes \
             --output= --status-file=write --log-file=write --logger-file=write --attribute-file=write \
             --homedir=!executes --options=read!executes --agent-program=exec --dirmngr-program=exec \
             --photo-viewer=exec \
             --exec-path=!executes --no-keyring --ignore-time-conflict --import-options= --export-options= \
             --expert",
        )
        .operands(Operands::Text)
        .check(gpg)
        .examples(&[
            ("gpg --list-keys --with-colons", "reads writes"),
            ("gpg --verify a.sig a", "reads writes"),
            ("gpg -K", "reads writes"),
            ("gpg --export-secret-keys x", "reads writes secrets"),
            ("gpg --decrypt a.gpg", "reads writes secrets"),
            ("gpg --import k", "reads writes"),
            ("gpg --send-keys x", "reads writes network-write sends-data publishes"),
            ("gpg --delete-keys x", "reads deletes writes"),
            ("gpg file.gpg", "reads writes"),
            ("gpg -se file", "reads writes"),
            ("gpg --dearmor", "reads writes"),
            ("gpg --agent-program x --list-keys", "reads writes executes"),
            ("gpg --list-options show-photos --list-keys", "reads writes executes"),
            ("gpg --list-options show-uid-validity --list-keys", "reads writes"),
            ("gpg -o - --export x", "reads writes"),
            ("gpg --output a --export x", "reads writes"),
        ]),
    Spec::new("gpgv gpgv2", READS)
        .options("-vqo= --keyring= --homedir= --status-fd= --output=")
        .operands(Operands::Read)
        .check(output)
        .examples(&[("gpgv a.sig a", "reads"), ("gpgv -o x a", "reads writes")]),
    Spec::new("gpgconf", READS)
        .options("-v --list-dirs --list-components --list-options= --check-programs --check-options= \
            --kill=!kills --reload=!system --launch=!system --create-socketdir!writes")
        .operands(Operands::Text)
        .examples(&[("gpgconf --list-dirs", "reads"), ("gpgconf --kill gpg-agent", "reads kills")]),
    Spec::new("gpg-agent gpg-connect-agent gpgsm gpgtar gpg-preset-passphrase dirmngr scdaemon", Effects::SYSTEM)
        .operands(Operands::Text)
        .examples(&[("gpg-agent", "system"), ("gpg-agent --daemon", "system unknown")]),
    Spec::new("age rage", READS)
        .options("-ap -d!secrets -e -Rrio= -j=exec --decrypt!secrets --encrypt --armor --passphrase \
            --recipient= --recipients-file=read --identity=read!secrets --output=")
        .operands(Operands::Read)
        .check(output)
        .examples(&[
            ("age -r x file", "reads"),
            ("age -d file", "reads secrets"),
            ("age --decrypt --output a b", "reads writes secrets"),
            ("age -j plugin file", "reads executes"),
            ("age -r x -o - file", "reads"),
        ]),
    Spec::new("age-keygen minisign signify pwgen apg mkpasswd makepasswd diceware xkcdpass", SECRETS.and(WRITES))
        .options("-yVGsSRo= -mpxct=")
        .operands(Operands::Text)
        .examples(&[("age-keygen -o k", "secrets writes")]),
    Spec::new("ssh-keygen", Effects::NONE)
        .options("-lLBFHRyqvceAiopghkKUuX -abCDEfIJjMmNnOPrsSTtVwWxYzZ=")
        .operands(Operands::Text)
        .check(ssh_keygen)
        .examples(&[
            ("ssh-keygen -lf key.pub", "reads"),
            ("ssh-keygen -F github.com", "reads"),
            ("ssh-keygen -t ed25519 -f k", "writes"),
            ("ssh-keygen -R host", "writes"),
            ("ssh-keygen -l -D lib.so", "reads executes"),
            ("ssh-keygen -l -Y sign -n file -f key data.txt", "writes"),
            ("ssh-keygen -yf key", "reads"),
            ("ssh-keygen -l -e -f key", "writes"),
        ]),
    Spec::new("ssh-add", Effects::NONE)
        .options("-lLcCkvq -dDxXAK -eEHhStTs=")
        .operands(Operands::Text)
        .check(ssh_add)
        .examples(&[("ssh-add -l", "reads"), ("ssh-add", "system"), ("ssh-add -D", "system"), ("ssh-add -s lib.so", "system executes")]),
    Spec::new("ssh-agent", Effects::SYSTEM)
        .style(Style::Stops)
        .options("-csdDk -aEOPt=")
        .operands(Operands::Command(0))
        .examples(&[("ssh-agent -s", "system")]),
    Spec::new("keytool", WRITES)
        .style(Style::SingleDash)
        .options(
            "-list -printcert -printcertreq -printcrl -v -rfc -keystore= -storepass= -storetype= -alias= \
                -file=read -cacerts \
             -keypass= -genkeypair -genkey -importcert -import -exportcert -export -delete -keyalg= \
             -keysize= -validity= \
             -dname= -noprompt -trustcacerts -sslserver=url -importkeystore -srckeystore= -destkeystore= \
             -changealias \
             -storepasswd -keypasswd -certreq -gencert -jarfile=read -ext=",
        )
        .check(keytool)
        .examples(&[
            ("keytool -list -keystore a.jks", "reads"),
            ("keytool -genkeypair -alias a", "writes"),
            ("keytool -list -providerclass X", "reads unknown"),
        ]),
    Spec::new("certutil mkcert step cfssl cfssljson easyrsa pk12util signtool", WRITES.and(Effects::SYSTEM))
        .options("-LKdntai=")
        .operands(Operands::Text)
        .examples(&[("mkcert localhost", "writes system")]),
    Spec::new("htpasswd", WRITES)
        .options("-cbBmdspDvi -n -C=")
        .operands(Operands::Text)
        .examples(&[("htpasswd -c f user", "writes")]),
];
