//! Cmdlets that change something.

use super::cmdlet::{Cmdlet, cmdlet};
use crate::effects::Effects;

const NONE: Effects = Effects::NONE;
const READS: Effects = Effects::READS;
const WRITES: Effects = Effects::WRITES;
const DELETES: Effects = Effects::DELETES;
const EXECUTES: Effects = Effects::EXECUTES;
const SYSTEM: Effects = Effects::SYSTEM;
const INSTALLS: Effects = Effects::INSTALLS_NAMED.and(Effects::EXECUTES);

const PATHS_WRITTEN: &str = "Path> LiteralPath> PSPath> LP> Value= NoNewline Encoding= Force Filter= Include= Exclude= PassThru Stream= AsByteStream";
const WEB: &str = "Uri# Method= UseBasicParsing TimeoutSec= MaximumRedirection= MaximumRetryCount= RetryIntervalSec= \
    DisableKeepAlive UserAgent= SslProtocol= SkipHttpErrorCheck OutFile> PassThru Body+ InFile+ Form+ Headers+ Credential+ \
    Token+ Authentication= UseDefaultCredentials WebSession+ SessionVariable$ CustomMethod= ContentType= \
    StatusCodeVariable$ ResponseHeadersVariable$ AllowInsecureRedirect FollowRelLink HttpVersion=";

/// Cmdlets that change something, with what they change.
pub(super) const CHANGING: &[Cmdlet] = &[
    cmdlet(
        "Remove-Item",
        DELETES,
        "Path",
        "Path! LiteralPath! PSPath! LP! Recurse r Force Filter= Include= Exclude= Stream=",
    ),
    cmdlet("Set-Content", WRITES, "Path Value", PATHS_WRITTEN),
    cmdlet("Add-Content", WRITES, "Path Value", PATHS_WRITTEN),
    cmdlet(
        "Clear-Content",
        WRITES,
        "Path",
        "Path> LiteralPath> PSPath> LP> Force Filter= Include= Exclude= Stream=",
    ),
    cmdlet(
        "Out-File",
        WRITES,
        "FilePath Encoding",
        "FilePath> Path> LiteralPath> PSPath> LP> Encoding= Append Force NoClobber NoOverwrite Width= NoNewline InputObject=",
    ),
    cmdlet(
        "Tee-Object",
        WRITES,
        "FilePath",
        "FilePath> Path> LiteralPath> PSPath> LP> Append Encoding= InputObject= Variable$",
    ),
    cmdlet(
        "Start-Transcript",
        WRITES,
        "Path",
        "Path> LiteralPath> PSPath> LP> OutputDirectory> Append IncludeInvocationHeader Force NoClobber NoOverwrite \
         UseMinimalHeader",
    ),
    cmdlet("New-Item", WRITES, "Path", "Path> Name> ItemType= Type= Value= Target= Force"),
    cmdlet(
        "Set-Item",
        WRITES,
        "Path Value",
        "Path> LiteralPath> PSPath> LP> Value= Force PassThru Filter= Include= Exclude=",
    ),
    cmdlet("Clear-Item", WRITES, "Path", "Path> LiteralPath> PSPath> LP> Force Filter= Include= Exclude="),
    cmdlet(
        "Copy-Item",
        WRITES.and(READS),
        "Path Destination",
        "Path< LiteralPath< PSPath< LP< Destination> Recurse Container Force Filter= Include= Exclude= PassThru",
    ),
    cmdlet(
        "Move-Item",
        WRITES.and(DELETES),
        "Path Destination",
        "Path~ LiteralPath~ PSPath~ LP~ Destination> Force Filter= Include= Exclude= PassThru",
    ),
    cmdlet(
        "Rename-Item",
        WRITES.and(DELETES),
        "Path NewName",
        "Path~ LiteralPath~ PSPath~ LP~ NewName> Force PassThru",
    ),
    cmdlet(
        "Export-Csv",
        WRITES,
        "Path Delimiter",
        "Path> LiteralPath> PSPath> LP> InputObject= Delimiter= Append Force Encoding= NoTypeInformation NTI IncludeTypeInformation NoClobber UseCulture UseQuotes= QuoteFields= NoHeader",
    ),
    cmdlet(
        "Export-Clixml",
        WRITES,
        "Path",
        "Path> LiteralPath> PSPath> LP> InputObject= Depth= Encoding= Force NoClobber",
    ),
    cmdlet(
        "Compress-Archive",
        WRITES.and(READS),
        "Path DestinationPath",
        "Path< LiteralPath< PSPath< DestinationPath> CompressionLevel= Update Force PassThru",
    ),
    cmdlet(
        "Expand-Archive",
        WRITES.and(READS),
        "Path DestinationPath",
        "Path< LiteralPath< PSPath< DestinationPath> Force PassThru",
    ),
    cmdlet(
        "Set-ItemProperty",
        WRITES.and(SYSTEM),
        "Path Name Value",
        "Path> LiteralPath> PSPath> LP> Name= PSProperty= Value= Type= Force PassThru InputObject= Filter= Include= Exclude=",
    ),
    cmdlet(
        "New-ItemProperty",
        WRITES.and(SYSTEM),
        "Path Name",
        "Path> LiteralPath> PSPath> LP> Name= PSProperty= Value= PropertyType= Type= Force Filter= Include= Exclude=",
    ),
    cmdlet(
        "Remove-ItemProperty",
        DELETES.and(SYSTEM),
        "Path Name",
        "Path> LiteralPath> PSPath> LP> Name= PSProperty= Force Filter= Include= Exclude=",
    ),
    cmdlet(
        "Clear-ItemProperty",
        WRITES.and(SYSTEM),
        "Path Name",
        "Path> LiteralPath> PSPath> LP> Name= PSProperty= Force PassThru",
    ),
    cmdlet(
        "Set-Acl",
        Effects::PERMISSIONS,
        "Path AclObject",
        "Path> LiteralPath> PSPath> AclObject= Passthru",
    ),
    cmdlet("Unblock-File", Effects::PERMISSIONS, "Path", "Path> LiteralPath> PSPath>"),
    cmdlet("Stop-Process", Effects::KILLS, "Id", "Id= Name= ProcessName= InputObject= Force PassThru"),
    cmdlet("Stop-Job", Effects::KILLS, "Id", "Id= Name= Job= InstanceId= State= PassThru"),
    cmdlet("Remove-Job", Effects::KILLS, "Id", "Id= Name= Job= InstanceId= State= Force"),
    cmdlet("Wait-Job", NONE, "Id", "Id= Name= Job= InstanceId= State= Any Timeout= Force"),
    cmdlet("Receive-Job", NONE, "Job", "Job= Id= Name= InstanceId= Keep Wait AutoRemoveJob"),
    cmdlet("Invoke-WebRequest", NONE, "Uri", WEB),
    cmdlet("Invoke-RestMethod", NONE, "Uri", WEB),
    cmdlet(
        "Start-BitsTransfer",
        Effects::NETWORK_READ.and(WRITES),
        "Source Destination",
        "Source# Destination> DisplayName= Description= Asynchronous Priority=",
    ),
    cmdlet(
        "Send-MailMessage",
        Effects::NETWORK_WRITE.and(Effects::SENDS_DATA),
        "To Subject Body SmtpServer",
        "To= Subject= Body+ SmtpServer= From= Attachments< Cc= Bcc= Port= UseSsl Credential+ BodyAsHtml",
    ),
    cmdlet(
        "Start-Process",
        EXECUTES,
        "FilePath ArgumentList",
        "FilePath& PSPath& Path& ArgumentList= Args= Wait NoNewWindow PassThru WindowStyle= WorkingDirectory= Verb= RedirectStandardOutput> RedirectStandardError> RedirectStandardInput< RSO> RSE> RSI< LoadUserProfile Environment=",
    ),
    cmdlet("Invoke-Expression", EXECUTES, "Command", "Command^"),
    cmdlet(
        "Invoke-Command",
        NONE,
        "ScriptBlock",
        "ScriptBlock= Command= ArgumentList= Args= NoNewScope InputObject= ComputerName= Cn= HostName= FilePath= PSPath= Session= Credential= AsJob ConnectionUri= VMName= ContainerId= UserName= KeyFilePath=",
    ),
    cmdlet(
        "Start-Job",
        EXECUTES,
        "ScriptBlock",
        "ScriptBlock= Command= Name= ArgumentList= Args= FilePath& InitializationScript= InputObject= WorkingDirectory=",
    ),
    cmdlet(
        "Start-ThreadJob",
        EXECUTES,
        "ScriptBlock",
        "ScriptBlock= Name= ArgumentList= FilePath& InitializationScript= InputObject= ThrottleLimit=",
    ),
    cmdlet("Invoke-Item", EXECUTES, "Path", "Path& LiteralPath& PSPath&"),
    cmdlet(
        "Import-Module",
        EXECUTES,
        "Name",
        "Name& Force Global PassThru MinimumVersion= RequiredVersion= Prefix= Scope= DisableNameChecking",
    ),
    cmdlet(
        "Add-Type",
        EXECUTES,
        "TypeDefinition",
        "TypeDefinition= MemberDefinition= Name= Namespace= Path& LiteralPath& AssemblyName= Language= ReferencedAssemblies= PassThru",
    ),
    cmdlet(
        "Invoke-CimMethod",
        EXECUTES.and(SYSTEM),
        "ClassName Arguments MethodName",
        "ClassName= Arguments= MethodName= Namespace= Query=",
    ),
    cmdlet(
        "Invoke-WmiMethod",
        EXECUTES.and(SYSTEM),
        "Class Name",
        "Class= Name= ArgumentList= Namespace= Path=",
    ),
    cmdlet("Set-ExecutionPolicy", SYSTEM, "ExecutionPolicy Scope", "ExecutionPolicy= Scope= Force"),
    cmdlet("Stop-Computer", SYSTEM, "ComputerName", "ComputerName= Force"),
    cmdlet("Restart-Computer", SYSTEM, "ComputerName", "ComputerName= Force Wait Timeout="),
    cmdlet("Set-Date", SYSTEM, "Date", "Date= Adjust="),
    cmdlet("Set-TimeZone", SYSTEM, "Name", "Name= Id= PassThru"),
    cmdlet(
        "Start-Service",
        SYSTEM,
        "Name",
        "Name= ServiceName= DisplayName= InputObject= PassThru Include= Exclude=",
    ),
    cmdlet(
        "Stop-Service",
        SYSTEM.and(Effects::KILLS),
        "Name",
        "Name= ServiceName= DisplayName= InputObject= PassThru Force NoWait Include= Exclude=",
    ),
    cmdlet(
        "Restart-Service",
        SYSTEM,
        "Name",
        "Name= ServiceName= DisplayName= InputObject= PassThru Force Include= Exclude=",
    ),
    cmdlet(
        "Set-Service",
        SYSTEM,
        "Name",
        "Name= ServiceName= DisplayName= Description= StartupType= Status= InputObject= PassThru Force",
    ),
    cmdlet(
        "New-Service",
        SYSTEM,
        "Name BinaryPathName",
        "Name= ServiceName= BinaryPathName& DisplayName= Description= StartupType= DependsOn=",
    ),
    cmdlet("Remove-Service", SYSTEM, "Name", "Name= InputObject="),
    cmdlet(
        "Register-ScheduledTask",
        SYSTEM.and(EXECUTES),
        "TaskName",
        "TaskName= TaskPath= Action= Trigger= Settings= Principal= Description= Force",
    ),
    cmdlet(
        "New-NetFirewallRule",
        SYSTEM,
        "",
        "Name= DisplayName= Direction= Action= Protocol= LocalPort= Enabled=",
    ),
    cmdlet("Add-MpPreference", SYSTEM, "", "ExclusionPath= ExclusionProcess= ExclusionExtension= Force"),
    cmdlet("Set-MpPreference", SYSTEM, "", "DisableRealtimeMonitoring= ExclusionPath= Force"),
    cmdlet(
        "New-LocalUser",
        Effects::PERMISSIONS,
        "Name",
        "Name= Password= NoPassword FullName= Description=",
    ),
    cmdlet("Remove-LocalUser", Effects::PERMISSIONS, "Name", "Name="),
    cmdlet("Add-LocalGroupMember", Effects::PERMISSIONS, "Group Member", "Group= Member="),
    cmdlet(
        "Format-Volume",
        SYSTEM.and(DELETES),
        "DriveLetter",
        "DriveLetter= FileSystem= Force NewFileSystemLabel=",
    ),
    cmdlet("Clear-Disk", SYSTEM.and(DELETES), "Number", "Number= RemoveData RemoveOEM"),
    cmdlet("Clear-RecycleBin", DELETES, "DriveLetter", "DriveLetter= Force"),
    cmdlet("Clear-History", DELETES, "Id Count", "Id= Count= Newest CommandLine="),
    cmdlet(
        "Install-Module",
        INSTALLS,
        "Name",
        "Name= Scope= Force AllowClobber Repository= MinimumVersion= RequiredVersion= MaximumVersion= SkipPublisherCheck AcceptLicense AllowPrerelease",
    ),
    cmdlet(
        "Install-PSResource",
        INSTALLS,
        "Name",
        "Name= Version= Scope= Repository= TrustRepository Reinstall Quiet",
    ),
    cmdlet("Install-Script", INSTALLS, "Name", "Name= Scope= Force Repository= RequiredVersion="),
    cmdlet("Install-Package", INSTALLS, "Name", "Name= Force Source= ProviderName= RequiredVersion= Scope="),
    cmdlet("Update-Module", INSTALLS, "Name", "Name= Force Scope= RequiredVersion="),
    cmdlet("Save-Module", WRITES.and(Effects::NETWORK_READ), "Name Path", "Name= Path> Force Repository="),
    cmdlet("Uninstall-Module", DELETES, "Name", "Name= AllVersions Force RequiredVersion="),
    cmdlet("Publish-Module", Effects::PUBLISHES, "Name", "Name= Path< NuGetApiKey= Repository="),
    cmdlet("Get-Clipboard", READS.and(Effects::SECRETS), "", "Raw Format= TextFormatType="),
    cmdlet("Set-Clipboard", SYSTEM, "Value", "Value= Append Path<"),
    cmdlet("Export-PfxCertificate", WRITES.and(Effects::SECRETS), "", "Cert= FilePath> Password= Force"),
    cmdlet(
        "ConvertFrom-SecureString",
        Effects::SECRETS,
        "SecureString",
        "SecureString= AsPlainText Key= SecureKey=",
    ),
    cmdlet("Set-Alias", NONE, "Name Value", "Name= Value= Scope= Option= Force Description= PassThru"),
    cmdlet("New-Alias", NONE, "Name Value", "Name= Value= Scope= Option= Force Description= PassThru"),
    cmdlet("Import-Alias", NONE, "Path", "Path< LiteralPath< Scope= Force"),
    cmdlet(
        "Set-PSBreakpoint",
        EXECUTES,
        "Script Line",
        "Script= Line= Command= Variable= Action= Column= Mode=",
    ),
];
